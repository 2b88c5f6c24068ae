package dualseal

// #include <dualseal_sharing.h>
import "C"

import "encoding/json"

// Renewed is a secret dealt anew: shares of the old and of the new set do not go together. The dealing is published,
// and each share goes to its holder. Bad are the indices of the old shares that took no part.
type Renewed struct {
	Dealing string
	Shares  []Share
	Bad     []int
}

// Wipe overwrites the shares, which their holders have by then.
func (r *Renewed) Wipe() { wipe(r.Shares) }

// Renew deals the secret of a dealing anew, by k of its shares. With 0 for k and for n both stay what they are, so that
// no slip lowers them. It protects only while fewer than k shares of every earlier set survive.
func Renew(domain *Domain, dealing string, shares []Share, k, n uint8) (*Renewed, error) {
	given := list(shares)
	defer clear(given)
	var l lent
	defer l.back()
	d := use(&l, domain)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var record, dealt, faults *C.char
	old, oldLen := sized(dealing)
	text, length := sizedBytes(given)
	status := C.dualseal_dealing_renew(d, fieldOf(dealing), old, oldLen, text, length, C.uint32_t(k),
		C.uint32_t(n), &record, &dealt, &faults, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	made := &Renewed{Dealing: taken(record)}
	var err error
	if made.Shares, err = split(takenSecret(dealt)); err != nil {
		return nil, err
	}
	made.Bad, err = bad(faults)
	return made, err
}

// Repair makes the lost share of this index again from k others, and gives the indices of those that took no part.
func Repair(domain *Domain, dealing string, shares []Share, lost uint8) (Share, []int, error) {
	given := list(shares)
	defer clear(given)
	var l lent
	defer l.back()
	d := use(&l, domain)
	if l.err != nil {
		return nil, nil, l.err
	}
	var e *C.dualseal_error
	var share, faults *C.char
	record, recordLen := sized(dealing)
	text, n := sizedBytes(given)
	status := C.dualseal_dealing_repair(d, fieldOf(dealing), record, recordLen, text, n, C.uint32_t(lost),
		&share, &faults, &e)
	if err := check(status, &e); err != nil {
		return nil, nil, err
	}
	made := takenSecret(share)
	wrong, err := bad(faults)
	return made, wrong, err
}

// Health is what a set of shares amounts to, by their indices. Missing are those of which no good share is there,
// foreign those of another set, whose holders are no cheats.
type Health struct{ Present, Missing, Invalid, Foreign []int }

// CheckShares tells which shares of a dealing are at hand, without rebuilding anything.
func CheckShares(domain *Domain, dealing string, shares []Share) (*Health, error) {
	given := list(shares)
	defer clear(given)
	var l lent
	defer l.back()
	d := use(&l, domain)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var health *C.char
	record, recordLen := sized(dealing)
	text, n := sizedBytes(given)
	status := C.dualseal_dealing_health(d, fieldOf(dealing), record, recordLen, text, n, &health, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	made := new(Health)
	return made, unread(json.Unmarshal([]byte(taken(health)), made))
}
