package dualseal_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"dualseal.example/dualseal"
)

// A logbook is a log as a program keeps it: what is appended goes into its database with head and ring, in one
// transaction.
type logbook struct {
	domain  *dualseal.Domain
	head    *dualseal.Head
	ringKey *dualseal.RingKey
	ring    *dualseal.Ring
	signer  *dualseal.Signer
	lines   []string
}

const origin = "acme.example/log"

func newLogbook() *logbook {
	l := &logbook{domain: must(dualseal.NewDomain("ACME")), head: must(dualseal.NewHead())}
	l.ringKey = must(dualseal.GenerateRingKey(l.domain))
	l.ring = must(dualseal.NewRing(origin, l.ringKey))
	name := must(l.domain.IdentityID(nil, "log", ""))
	l.signer = &dualseal.Signer{Domain: l.domain, Identity: name, Key: must(dualseal.GenerateKey()), NoRing: true}
	return l
}

// keep stores an entry, and gives its short handle.
func (l *logbook) keep(entry string) dualseal.ID {
	line, handle, err := dualseal.EntryLine(entry)
	if err != nil {
		panic(err)
	}
	l.lines = append(l.lines, line)
	return handle
}

// follow stores an entry that is no change of the ring.
func (l *logbook) follow(entry string) dualseal.ID {
	handle := l.keep(entry)
	if err := l.ring.Follow(l.lines[len(l.lines)-1], dualseal.NoVaults); err != nil {
		panic(err)
	}
	return handle
}

// pins are what others know of the log beforehand.
func (l *logbook) pins() dualseal.Pins {
	key := must(dualseal.KeyHash(must(l.signer.Key.PublicKey())))
	return dualseal.Pins{Origin: origin, Identity: l.signer.Identity, Key: key, NoRing: true}
}

// checkpoint is the log's over all that it has. A log that signed one before goes on from its mark
// ([dualseal.Mark.Next]).
func (l *logbook) checkpoint() (*dualseal.Checkpoint, string) {
	mark := must(dualseal.FirstMark(origin, l.head, l.ring))
	text := must(l.signer.SignCheckpoint(mark, "", time.Now()))
	return must(l.pins().Verify(l.domain, text)), text
}

// alone is a walk of whoever appends to the log, and under one below a checkpoint, by which others are shown something.
func (l *logbook) alone() dualseal.Walk { return dualseal.Walk{NoCheckpoint: true, Own: l.head} }

func (l *logbook) under(checkpoint *dualseal.Checkpoint) dualseal.Walk {
	return dualseal.Walk{Under: checkpoint, Own: l.head}
}

// walk reads all lines, and gives what was watched for.
func (l *logbook) walk(
	walk dualseal.Walk, watch func(*dualseal.Reader) (dualseal.Watched, error),
) (*dualseal.Proofs, dualseal.Watched) {
	reader := must(dualseal.NewReader(l.domain, walk))
	watched := must(watch(reader))
	for _, line := range l.lines {
		if err := reader.Push(line); err != nil {
			panic(err)
		}
	}
	return must(reader.Finish()), watched
}

// A log's ring says what a key is worth, and a change of it is an entry of the log.
func ExampleRing() {
	l := newLogbook()
	ana := must(l.domain.IdentityID(nil, "ana@acme.example", "9f0c2d"))
	key := must(dualseal.GenerateKey())
	l.keep(must(l.ring.Add(ana, must(key.PublicKey()), l.head, time.Now())))

	signer := &dualseal.Signer{Domain: l.domain, Identity: ana, Key: key, Ring: l.ring}
	signed := must(signer.Sign(strings.NewReader("one contract"), l.head, time.Now()))
	l.follow(signed.Entry)
	verifier := &dualseal.Verifier{Domain: l.domain, Ring: l.ring}
	verify := func() error { return verifier.Verify(ana, strings.NewReader("one contract"), signed.Record) }
	fmt.Println("valid:", verify())

	l.keep(must(l.ring.SetCurrentState(ana, dualseal.KeySuspended, l.head, time.Now())))
	_, err := signer.Sign(strings.NewReader("another contract"), l.head, time.Now())
	fmt.Println("suspended:", verify(), "- signs:", !errors.Is(err, dualseal.NotCurrent))

	l.keep(must(l.ring.SetCurrentState(ana, dualseal.KeyRevoked, l.head, time.Now())))
	fmt.Println("revoked:", verify())

	// The file is read again with the key that vouches for it, and an older one is told from the chain.
	file := must(l.ring.Stored(l.head))
	defer file.Wipe()
	proofs, watched := l.walk(l.alone(), func(r *dualseal.Reader) (dualseal.Watched, error) {
		return r.WatchRing(file, l.ringKey, dualseal.NoVaults)
	})
	verifier.Ring = must(proofs.Ring(watched))
	fmt.Println("read again:", verify())
	// Output:
	// valid: <nil>
	// suspended: dualseal: suspended - signs: false
	// revoked: dualseal: revoked
	// read again: dualseal: revoked
}

// A record by a key that was rotated since is valid at its place in the chain, which is before the rotation.
func ExampleRing_Rotate() {
	l := newLogbook()
	ana := must(l.domain.IdentityID(nil, "ana@acme.example", "9f0c2d"))
	key := must(dualseal.GenerateKey())
	l.keep(must(l.ring.Add(ana, must(key.PublicKey()), l.head, time.Now())))
	signer := &dualseal.Signer{Domain: l.domain, Identity: ana, Key: key, Ring: l.ring}
	signed := must(signer.Sign(strings.NewReader("one contract"), l.head, time.Now()))
	handle := l.follow(signed.Entry)
	next := must(dualseal.GenerateKey())
	l.keep(must(l.ring.Rotate(ana, must(next.PublicKey()), l.head, time.Now())))

	checkpoint, _ := l.checkpoint()
	proofs, watched := l.walk(l.under(checkpoint), func(r *dualseal.Reader) (dualseal.Watched, error) {
		return r.WatchPlaces(handle)
	})
	place := must(proofs.Place(watched, handle))
	verifier := &dualseal.Verifier{Domain: l.domain, Ring: l.ring}
	hash := must(l.domain.HashContent(ana, strings.NewReader("one contract")))
	fmt.Println("without its place:", verifier.VerifyHash(ana, hash, signed.Record))
	fmt.Println("at its place:", verifier.VerifyAt(ana, hash, signed.Record, place))
	// Output:
	// without its place: dualseal: invalid
	// at its place: <nil>
}

// Whoever has the log makes evidence of a record. It is verified years later, offline, with the log's fingerprint
// alone.
func ExampleExhibit() {
	l := newLogbook()
	ana := must(l.domain.IdentityID(nil, "ana@acme.example", "9f0c2d"))
	key := must(dualseal.GenerateKey())
	l.keep(must(l.ring.Add(ana, must(key.PublicKey()), l.head, time.Now())))
	signer := &dualseal.Signer{Domain: l.domain, Identity: ana, Key: key, Ring: l.ring}
	signed := must(signer.Sign(strings.NewReader("one contract"), l.head, time.Now()))
	handle := l.follow(signed.Entry)

	checkpoint, text := l.checkpoint()
	proofs, watched := l.walk(l.under(checkpoint), func(r *dualseal.Reader) (dualseal.Watched, error) {
		return r.WatchPlaces(handle)
	})
	exhibit := &dualseal.Exhibit{
		Domain: l.domain, Name: "ACME", Record: signed.Record, Ring: l.ring,
		Place: must(proofs.Place(watched, handle)), RingPlace: must(proofs.RingPlace(watched)),
	}
	file := must(exhibit.Evidence())
	fingerprint := must(dualseal.LogFingerprint(l.domain, text))

	verify := func(document string) (*dualseal.Report, error) {
		evidence, err := dualseal.OpenEvidence(file, dualseal.Policy{Log: fingerprint, Signer: ana})
		if err != nil {
			return nil, err
		}
		defer evidence.Close()
		if _, err := io.Copy(evidence, strings.NewReader(document)); err != nil {
			return nil, err
		}
		return evidence.Finish()
	}
	report, err := verify("one contract")
	fmt.Println("signed by her:", report.Identity == ana, err)
	_, err = verify("another contract")
	fmt.Println("another document:", errors.Is(err, dualseal.EvidenceRecord))
	// Output:
	// signed by her: true <nil>
	// another document: true
}
