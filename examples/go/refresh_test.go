package dualseal

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"
)

// acknowledged is what the first custodians of a record say whose shares arrived.
func acknowledged(t *testing.T, record string, custodians int) (said []Acknowledgement) {
	t.Helper()
	var told struct {
		Split       ID       `json:"split_id"`
		Commitments []string `json:"udio_sidra"`
	}
	if err := json.Unmarshal([]byte(record), &told); err != nil {
		t.Fatal(err)
	}
	for i, commitment := range told.Commitments[:custodians] {
		said = append(said, Acknowledgement{Index: uint8(i + 1), Split: told.Split, Commitment: commitment})
	}
	return said
}

// read is the session as the chain says that has all that was appended so far, and what a commit needs of it.
func (q *quorum) read(t *testing.T, ring *Ring, records ...string) (*Session, *Proofs, Watched) {
	t.Helper()
	checkpoint, _ := q.checkpoint(t)
	var watched Watched
	proofs := q.walk(t, Walk{Under: checkpoint, Own: q.head}, func(reader *Reader) {
		watched = must[Watched](t)(reader.WatchSession(q.id, q.handles[1]))
	})
	return must[*Session](t)(proofs.Session(watched, records, ring)), proofs, watched
}

func TestASessionIsContinuedWithOtherShares(t *testing.T) {
	for name, inner := range map[string]bool{"a quorum with a key": false, "an inner session": true} {
		q := convene(t, inner)
		ring := q.ring
		if inner {
			ring = nil
		}
		sign := func(session *Session, shares []Secret) error {
			end := must[*Head](t)(ResumeHead(must[[]byte](t)(q.head.MarshalJSON())))
			var err error
			if inner {
				_, err = session.SignWithoutRing([]byte("resolution"), q.ana, shares, end, noon)
			} else {
				_, err = session.Sign(ring, []byte("resolution"), q.ana, shares, end, noon)
			}
			return err
		}
		first := q.founded.Record
		session, proofs, watched := q.read(t, ring, first)
		if record, seq, ok, err := session.Record(); record != first || seq != 1 || !ok || err != nil {
			t.Errorf("%s: %d, %v, %v", name, seq, ok, err)
		}
		owners := append(q.owners, must[ID](t)(q.domain.IdentityID(nil, "nora", "")))
		prepared := must[*Prepared](t)(session.Prepare(q.founded.Shares[1:], owners, 3, noon))
		if len(prepared.Shares) != 4 || len(prepared.Bad) != 0 {
			t.Errorf("%s: %d shares, %v", name, len(prepared.Shares), prepared.Bad)
		}
		commit := func(said []Acknowledgement, needed uint8) (*Continued, error) {
			return session.Commit(proofs, watched, []string{first}, ring, said, needed, q.ana, q.head)
		}
		size := must[uint64](t)(q.head.Size())
		for _, one := range []struct {
			said   []Acknowledgement
			needed uint8
		}{{nil, 0}, {acknowledged(t, prepared.Record, 3), 0}, {acknowledged(t, first, 3), 3}} {
			if _, err := commit(one.said, one.needed); !errors.Is(err, TooFewSaid) {
				t.Errorf("%s: by too few: %v", name, err)
			}
		}
		if err := sign(session, prepared.Shares); err == nil || must[uint64](t)(q.head.Size()) != size {
			t.Errorf("%s: what was not committed counts", name)
		}
		continued := must[*Continued](t)(commit(acknowledged(t, prepared.Record, 3), 3))
		if err := q.ring.Follow(q.keep(t, continued.Entry), NoVaults); err != nil {
			t.Fatal(err)
		}
		later, after, seen := q.read(t, ring, first, continued.Record)
		record, seq, ok, err := later.Record()
		if ok == inner || ok && (record != continued.Record || seq != size) || err != nil {
			t.Errorf("%s: %d, %v, %v", name, seq, ok, err)
		}
		for shares, expected := range map[int]error{3: nil, 2: TooFewShares} {
			if err := sign(later, prepared.Shares[:shares]); !errors.Is(err, expected) {
				t.Errorf("%s, by %d of four: %v", name, shares, err)
			}
		}
		if err := sign(later, q.founded.Shares); err == nil {
			t.Errorf("%s: the old shares still sign", name)
		}
		// Whoever was late finds another generation in force.
		late := must[*Prepared](t)(session.Prepare(q.founded.Shares, q.owners, 0, noon))
		said, both := acknowledged(t, late.Record, 3), []string{first, continued.Record}
		if _, err := session.Commit(after, seen, both, ring, said, 0, q.ana, q.head); !errors.Is(err, StaleGeneration) {
			t.Errorf("%s: committed late: %v", name, err)
		}
	}
}

func TestALostShareIsMadeAgain(t *testing.T) {
	q := convene(t, false)
	share, wrong, err := q.session.Repair(q.founded.Shares[1:], 1, q.owners[0])
	if err != nil || len(wrong) != 0 || !bytes.Equal(share, q.founded.Shares[0]) {
		t.Errorf("another share: %v, %v", wrong, err)
	}
	junk := must[Secret](t)(ShareFromAnswer(q.id, q.split, q.owners[2], 3, Secret("junk")))
	var told *Error
	_, _, err = q.session.Repair([]Secret{q.founded.Shares[1], junk}, 1, q.owners[0])
	if !errors.As(err, &told) || !slices.Equal(told.Culprits, []int{3}) {
		t.Errorf("of one share and junk: %v", err)
	}
	if _, _, err := q.session.Repair(q.founded.Shares[1:], 9, q.owners[0]); err == nil {
		t.Error("a share that nobody had")
	}
}

// What was dealt is overwritten once it is with its holders.
func TestWhatWasDealtIsWiped(t *testing.T) {
	q := convene(t, false)
	a := openArchive(t)
	prepared := must[*Prepared](t)(q.session.Prepare(q.founded.Shares, q.owners, 0, noon))
	dealing, shares, err := must[*SharedSecret](t)(GenerateSecret()).Deal(q.domain, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	renewed := must[*Renewed](t)(Renew(q.domain, dealing, shares, 0, 0))
	split := must[*Splitting](t)(a.vault.Split(a.seals(t, "House 7"), ID{}, 2, []string{"a", "b", "c"}))
	for name, one := range map[string]struct {
		secrets []Secret
		wipe    func()
	}{
		"a founding":   {q.founded.Shares, q.founded.Wipe},
		"a generation": {prepared.Shares, prepared.Wipe},
		"another set":  {renewed.Shares, renewed.Wipe},
		"a splitting":  {split.Shards, func() { _ = split.Close() }},
	} {
		one.wipe()
		for i, secret := range one.secrets {
			if len(one.secrets) != 3 || len(secret) == 0 || len(bytes.Trim(secret, "\x00")) != 0 {
				t.Errorf("%s: secret %d of %d is there", name, i, len(one.secrets))
			}
		}
	}
	if _, err := split.Commit(idsOf(split), 0, nil, 0, a.head, noon); err != ErrClosed {
		t.Errorf("a splitting that was closed: %v", err)
	}
}
