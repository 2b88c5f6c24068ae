package dualseal_test

import (
	"crypto/mldsa"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"dualseal.example/dualseal"
)

// A board is a quorum of two of three custodians, in a log of its own, and what is pinned of it.
type board struct {
	*logbook
	owners       []dualseal.ID
	name         dualseal.ID
	id, founding dualseal.ID
	records      []string
	shares       []dualseal.Secret
}

func newBoard() *board {
	b := &board{logbook: newLogbook()}
	b.name = must(b.domain.IdentityID(nil, "board", ""))
	for _, name := range []string{"iva", "luka", "mia"} {
		b.owners = append(b.owners, must(b.domain.IdentityID(nil, name, "")))
	}
	founded := must(dualseal.FoundSession(b.domain, b.owners[0], b.owners, 2, b.name, b.head, time.Now()))
	b.founding = b.follow(founded.Entry)
	b.records, b.shares = []string{founded.Record}, founded.Shares
	var record struct {
		Session dualseal.ID `json:"session_id"`
		Key     string      `json:"javni_kljuc"`
	}
	if err := json.Unmarshal([]byte(founded.Record), &record); err != nil {
		panic(err)
	}
	b.id = record.Session
	// The ring takes the quorum's key, by which anybody verifies.
	key := must(mldsa.NewPublicKey(mldsa.MLDSA65(), must(hex.DecodeString(record.Key))))
	b.keep(must(b.ring.Add(b.name, key, b.head, time.Now())))
	return b
}

// inForce is the session as the chain says.
func (b *board) inForce() (*dualseal.Session, *dualseal.Proofs, dualseal.Watched) {
	checkpoint, _ := b.checkpoint()
	proofs, watched := b.walk(b.under(checkpoint), func(r *dualseal.Reader) (dualseal.Watched, error) {
		return r.WatchSession(b.id, b.founding)
	})
	return must(proofs.Session(watched, b.records, b.ring)), proofs, watched
}

// Two of three custodians sign, and anybody verifies with the quorum's key.
func ExampleSession() {
	b := newBoard()
	session, _, _ := b.inForce()
	resolution := []byte("resolution 7")
	result := must(session.Sign(b.ring, resolution, b.owners[0], b.shares[1:], b.head, time.Now()))
	b.follow(result.Entry)
	fmt.Println("verified:", session.Verify(b.ring, resolution, result.JSON, nil))
	fmt.Println("another:", session.Verify(b.ring, []byte("resolution 8"), result.JSON, nil))

	_, err := session.Sign(b.ring, resolution, b.owners[0], b.shares[:1], b.head, time.Now())
	fmt.Println("one of three:", errors.Is(err, dualseal.TooFewShares))
	// Output:
	// verified: <nil>
	// another: dualseal: invalid
	// one of three: true
}

// The shares are dealt anew when a custodian leaves: what he took with him no longer signs.
func ExampleSession_Prepare() {
	b := newBoard()
	session, proofs, watched := b.inForce()
	nora := must(b.domain.IdentityID(nil, "nora", ""))
	prepared := must(session.Prepare(b.shares[:2], []dualseal.ID{b.owners[0], b.owners[1], nora}, 0, time.Now()))

	// Each custodian gets a share with the record, and says which one he holds.
	var record struct {
		Split       dualseal.ID `json:"split_id"`
		Commitments []string    `json:"udio_sidra"`
	}
	if err := json.Unmarshal([]byte(prepared.Record), &record); err != nil {
		panic(err)
	}
	var said []dualseal.Acknowledgement
	for i, commitment := range record.Commitments {
		said = append(said, dualseal.Acknowledgement{Index: uint8(i + 1), Split: record.Split, Commitment: commitment})
	}
	continued := must(session.Commit(proofs, watched, b.records, b.ring, said, 0, b.owners[0], b.head))
	b.follow(continued.Entry)
	b.records = append(b.records, continued.Record)

	session, _, _ = b.inForce()
	sign := func(shares []dualseal.Secret) error {
		_, err := session.Sign(b.ring, []byte("resolution 8"), b.owners[0], shares, b.head, time.Now())
		return err
	}
	fmt.Println("old shares:", errors.Is(sign(b.shares), dualseal.TooFewShares))
	fmt.Println("new shares:", sign(prepared.Shares[1:]))
	// Output:
	// old shares: true
	// new shares: <nil>
}
