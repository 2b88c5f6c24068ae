package dualseal

import (
	"crypto/mldsa"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// A quorum of two of three, in force in a chain of its own.
type quorum struct {
	*register
	founded   *Founded
	session   *Session
	key       *mldsa.PublicKey
	id, split ID
	owners    []ID
}

func convene(t testing.TB, inner bool) *quorum {
	t.Helper()
	q := &quorum{register: openRegister(t)}
	for _, name := range []string{"iva", "luka", "mia"} {
		q.owners = append(q.owners, must[ID](t)(q.domain.IdentityID(nil, name, "")))
	}
	board := must[ID](t)(q.domain.IdentityID(nil, "board", ""))
	if inner {
		q.founded = must[*Founded](t)(FoundInnerSession(q.domain, q.ana, q.owners, 2, q.head, noon))
	} else {
		q.founded = must[*Founded](t)(FoundSession(q.domain, q.ana, q.owners, 2, board, q.head, noon))
	}
	if err := q.ring.Follow(q.keep(t, q.founded.Entry), NoVaults); err != nil {
		t.Fatal(err)
	}
	var record struct {
		Session ID     `json:"session_id"`
		Split   ID     `json:"split_id"`
		Key     string `json:"javni_kljuc"`
	}
	if err := json.Unmarshal([]byte(q.founded.Record), &record); err != nil {
		t.Fatal(err)
	}
	q.id, q.split = record.Session, record.Split
	var ring *Ring
	if !inner {
		q.key = must[*mldsa.PublicKey](t)(mldsa.NewPublicKey(mldsa.MLDSA65(), unhex(t, record.Key)))
		q.keep(t, must[string](t)(q.ring.Add(board, q.key, q.head, noon)))
		ring = q.ring
	}
	checkpoint, _ := q.checkpoint(t)
	var watched Watched
	proofs := q.walk(t, Walk{Under: checkpoint, Own: q.head}, func(reader *Reader) {
		watched = must[Watched](t)(reader.WatchSession(q.id, q.handles[1]))
	})
	q.session = must[*Session](t)(proofs.Session(watched, []string{q.founded.Record}, ring))
	return q
}

func TestAQuorumSignsAndAnybodyVerifies(t *testing.T) {
	q := convene(t, false)
	two := q.founded.Shares[1:]
	if enough, needed, err := q.session.Reached(two); !enough || needed != 2 || err != nil {
		t.Errorf("%v, %v, %v", enough, needed, err)
	}
	if enough, _, err := q.session.Reached(two[:1]); enough || err != nil {
		t.Errorf("one of three: %v, %v", enough, err)
	}
	message := []byte("resolution 7")
	result := must[*Result](t)(q.session.Sign(q.ring, message, q.ana, two, q.head, noon))
	if err := q.session.Verify(q.ring, message, result.JSON, nil); err != nil || len(result.Misdealt) != 0 {
		t.Errorf("%v, %v", err, result.Misdealt)
	}
	if err := q.session.Verify(q.ring, []byte("resolution 8"), result.JSON, nil); err != Invalid {
		t.Errorf("another message: %v", err)
	}
	// The same by what was pinned by hand.
	board := must[ID](t)(q.domain.IdentityID(nil, "board", ""))
	pinned := PinnedSession{Domain: q.domain, Session: q.id, Identity: board, Key: q.key}
	verify := func(change func(*PinnedSession), message string) error {
		other := pinned
		change(&other)
		return other.Verify(q.ring, []byte(message), result.JSON, nil)
	}
	same := func(*PinnedSession) {}
	if err := verify(same, string(message)); err != nil {
		t.Error(err)
	}
	if err := verify(same, "resolution 8"); err != Invalid {
		t.Errorf("another message: %v", err)
	}
	for name, change := range map[string]func(*PinnedSession){
		"session":  func(p *PinnedSession) { p.Session = ID{1} },
		"identity": func(p *PinnedSession) { p.Identity = q.ana },
		"key":      func(p *PinnedSession) { p.Key = must[*mldsa.PublicKey](t)(q.register.key.PublicKey()) },
	} {
		if err := verify(change, string(message)); err != Invalid {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if err := verify(func(p *PinnedSession) { p.Key = nil }, string(message)); !isField(err, "public_key") {
		t.Errorf("a key that was forgotten: %v", err)
	}
	// What a custodian answered names him where it is junk, and nothing is appended then.
	junk := must[Secret](t)(ShareFromAnswer(q.id, q.split, q.owners[0], 1, Secret("junk")))
	size := must[uint64](t)(q.head.Size())
	_, err := q.session.Sign(q.ring, message, q.ana, []Secret{junk, two[0]}, q.head, noon)
	var told *Error
	if !errors.As(err, &told) || len(told.Culprits) != 1 || told.Culprits[0] != 1 {
		t.Errorf("%v", err)
	}
	if !strings.Contains(told.Result, `"ok":false`) {
		t.Errorf("the result of a refusal: %q", told.Result)
	}
	if must[uint64](t)(q.head.Size()) != size {
		t.Error("a refusal moved the head")
	}
}

func TestAnInnerSessionIsConfirmedByItsShares(t *testing.T) {
	q := convene(t, true)
	message := []byte("resolution 7")
	result := must[*Result](t)(q.session.SignWithoutRing(message, q.ana, q.founded.Shares[:2], q.head, noon))
	if err := q.session.Confirm(message, result.JSON, q.founded.Shares[1:]); err != nil {
		t.Error(err)
	}
	if err := q.session.Confirm([]byte("resolution 8"), result.JSON, q.founded.Shares[1:]); !errors.Is(err, Rejected) {
		t.Errorf("another message: %v", err)
	}
	if err := q.session.Verify(q.ring, message, result.JSON, nil); err == nil {
		t.Error("nobody can verify it without shares")
	}
	if !strings.Contains(result.JSON, `"ok":true`) {
		t.Error(result.JSON)
	}
}
