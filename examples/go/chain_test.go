package dualseal

import (
	"bytes"
	"crypto/mldsa"
	"errors"
	"io"
	"strings"
	"testing"
)

// A register is a log with a ring of its own: Ana's key, what she signed, and the log's key.
type register struct {
	*bench
	ringKey *RingKey
	ring    *Ring
	log     *Signer
	pins    Pins
	lines   []string
	handles []ID
}

const origin = "example.org/log"

func openRegister(t testing.TB) *register {
	t.Helper()
	r := &register{bench: setUp(t)}
	r.ringKey = must[*RingKey](t)(NewRingKey(r.domain, bytes.Repeat([]byte{9}, 32)))
	r.ring = must[*Ring](t)(NewRing(origin, r.ringKey))
	logKey := must[*SigningKey](t)(NewSigningKey(bytes.Repeat([]byte{5}, 32)))
	name := must[ID](t)(r.domain.IdentityID(nil, "log", ""))
	r.log = &Signer{Domain: r.domain, Identity: name, Key: logKey, NoRing: true}
	hash := must[ID](t)(KeyHash(must[*mldsa.PublicKey](t)(logKey.PublicKey())))
	r.pins = Pins{Origin: origin, Identity: name, Key: hash, LeastSize: 1, NoRing: true}
	r.keep(t, must[string](t)(r.ring.Add(r.ana, must[*mldsa.PublicKey](t)(r.key.PublicKey()), r.head, noon)))
	return r
}

func (r *register) keep(t testing.TB, entry string) string {
	t.Helper()
	line, handle, err := EntryLine(entry)
	if err != nil {
		t.Fatal(err)
	}
	r.lines, r.handles = append(r.lines, line), append(r.handles, handle)
	return line
}

// signs has Ana sign by her ring, which is then past the entry.
func (r *register) signs(t testing.TB, content string) *Signed {
	t.Helper()
	signer := &Signer{Domain: r.domain, Identity: r.ana, Key: r.key, Ring: r.ring}
	signed := must[*Signed](t)(signer.Sign(strings.NewReader(content), r.head, noon))
	if err := r.ring.Follow(r.keep(t, signed.Entry), NoVaults); err != nil {
		t.Fatal(err)
	}
	return signed
}

// checkpoint is the log's over all that it has, stating its ring, verified and as it travels.
func (r *register) checkpoint(t testing.TB) (*Checkpoint, string) {
	t.Helper()
	mark := must[Mark](t)(FirstMark(origin, r.head, r.ring))
	text := must[string](t)(r.log.SignCheckpoint(mark, "", noon))
	checkpoint := must[*Checkpoint](t)(r.pins.Verify(r.domain, text))
	if must[Mark](t)(checkpoint.Mark()) != mark {
		t.Error("another mark")
	}
	return checkpoint, text
}

// walk reads all lines.
func (r *register) walk(t testing.TB, walk Walk, watch func(*Reader)) *Proofs {
	t.Helper()
	reader := must[*Reader](t)(NewReader(r.domain, walk))
	watch(reader)
	for _, line := range r.lines {
		if err := reader.Push(line); err != nil {
			t.Fatal(err)
		}
	}
	return must[*Proofs](t)(reader.Finish())
}

func TestARingChangesAndItsFileIsReadAgain(t *testing.T) {
	r := openRegister(t)
	signed := r.signs(t, "deed")
	hash := must[ID](t)(r.domain.HashContent(r.ana, strings.NewReader("deed")))
	verifier := &Verifier{Domain: r.domain, Ring: r.ring}
	verify := func() error { return verifier.VerifyHash(r.ana, hash, signed.Record) }
	if err := verify(); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		state   KeyState
		verdict error
	}{{KeySuspended, Suspended}, {KeyValid, nil}, {KeyDecoy, Decoy}, {KeyRevoked, Revoked}} {
		old := must[Secret](t)(r.ring.Stored(r.head))
		r.keep(t, must[string](t)(r.ring.SetCurrentState(r.ana, step.state, r.head, noon)))
		if err := verify(); err != step.verdict {
			t.Errorf("%v: %v", step.state, err)
		}
		// The file from before the change is told from the chain.
		reader := must[*Reader](t)(NewRingReader(r.domain, old, r.head))
		watched := must[Watched](t)(reader.WatchRing(old, r.ringKey, NoVaults))
		if err := reader.Push(r.lines[len(r.lines)-1]); err != nil {
			t.Fatal(err)
		}
		if _, err := must[*Proofs](t)(reader.Finish()).Ring(watched); !errors.Is(err, RingRollback) {
			t.Errorf("an old ring: %v", err)
		}
	}
	// The file as it is now, against the whole chain.
	file := must[Secret](t)(r.ring.Stored(r.head))
	var watched Watched
	proofs := r.walk(t, Walk{NoCheckpoint: true, Own: r.head}, func(reader *Reader) {
		watched = must[Watched](t)(reader.WatchRing(file, r.ringKey, NoVaults))
	})
	if proofs.Head == nil || proofs.Signed != nil {
		t.Error("where a chain without a checkpoint ends")
	}
	again := must[*Ring](t)(proofs.Ring(watched))
	verifier.Ring = again
	if err := verify(); err != Revoked {
		t.Errorf("by the ring that was read: %v", err)
	}
	// And changed on, to another key.
	next := must[*SigningKey](t)(GenerateKey())
	r.ring = again
	r.keep(t, must[string](t)(r.ring.Rotate(r.ana, must[*mldsa.PublicKey](t)(next.PublicKey()), r.head, noon)))
	r.key = next
	r.signs(t, "another deed")
	stale := must[*Ring](t)(NewRing(origin, r.ringKey))
	if _, err := stale.Add(r.ana, must[*mldsa.PublicKey](t)(next.PublicKey()), r.head, noon); !errors.Is(err, Misuse) {
		t.Errorf("a ring that was not followed: %v", err)
	}
}

func TestManyRecordsAtTheirPlaces(t *testing.T) {
	r := openRegister(t)
	signed := r.signs(t, "deed")
	old := must[ID](t)(KeyHash(must[*mldsa.PublicKey](t)(r.key.PublicKey())))
	next := must[*SigningKey](t)(GenerateKey())
	r.keep(t, must[string](t)(r.ring.Rotate(r.ana, must[*mldsa.PublicKey](t)(next.PublicKey()), r.head, noon)))
	checkpoint, _ := r.checkpoint(t)
	var watched Watched
	proofs := r.walk(t, Walk{Under: checkpoint, Own: r.head}, func(reader *Reader) {
		watched = must[Watched](t)(reader.WatchPlaces(r.handles...))
	})
	place := must[*Place](t)(proofs.Place(watched, r.handles[1]))
	hash := must[ID](t)(r.domain.HashContent(r.ana, strings.NewReader("deed")))
	verifier := &Verifier{Domain: r.domain, Ring: r.ring}
	items := []Item{
		{r.ana, hash, signed.Record, place},
		{r.ana, hash, signed.Record, nil},
		{r.ana, hash, "no record", nil},
		{r.log.Identity, hash, signed.Record, place},
	}
	for _, threads := range []int{0, 1, 3} {
		verdicts := must[[]error](t)(verifier.VerifyMany(items, threads))
		if verdicts[0] != nil || verdicts[1] != Invalid || !errors.Is(verdicts[2], Malformed) || verdicts[3] != Invalid {
			t.Errorf("on %d threads: %v", threads, verdicts)
		}
	}
	// Whoever calls the old key back takes the place from it, too.
	r.keep(t, must[string](t)(r.ring.RevokeFrom(r.ana, old, 1, r.head, noon)))
	if verdicts := must[[]error](t)(verifier.VerifyMany(items[:1], 0)); verdicts[0] != Revoked {
		t.Errorf("by a key that was called back: %v", verdicts)
	}
	// Whoever drops the error that nothing was verified finds it at each record.
	for _, threads := range []int{-1, 2000} {
		var told *Error
		verdicts, err := verifier.VerifyMany(items, threads)
		if !errors.As(err, &told) || told.Field != "threads" || len(verdicts) != len(items) {
			t.Fatalf("%d threads: %v, %v", threads, err, verdicts)
		}
		for _, verdict := range verdicts {
			if verdict != err {
				t.Errorf("%d threads: %v", threads, verdict)
			}
		}
	}
	_ = place.Close()
	verdicts := must[[]error](t)(verifier.VerifyMany(items[:2], 0))
	if verdicts[0] != ErrClosed || verdicts[1] != Revoked {
		t.Errorf("a place that was closed: %v", verdicts)
	}
}

func TestCheckpointsTellForksAndGoOn(t *testing.T) {
	r := openRegister(t)
	first, text := r.checkpoint(t)
	shown, stored := append([]string(nil), r.lines...), must[[]byte](t)(r.head.MarshalJSON())
	r.signs(t, "deed")
	proofs := r.walk(t, Walk{Under: first, Own: r.head}, func(*Reader) {})
	if size := must[uint64](t)(proofs.Signed.Size()); size != uint64(len(shown)) {
		t.Errorf("the checkpoint ended at %d", size)
	}
	mark := must[Mark](t)(must[Mark](t)(first.Mark()).Next(proofs, r.ring))
	second := must[*Checkpoint](t)(r.pins.Verify(r.domain, must[string](t)(r.log.SignCheckpoint(mark, "", noon))))
	if found := must[Consistency](t)(first.Compare(second)); found != SizesDiffer {
		t.Errorf("%v", found)
	}
	if found := must[Consistency](t)(first.Compare(first)); found != Equal {
		t.Errorf("%v", found)
	}
	var watched Watched
	proofs = r.walk(t, Walk{Under: second}, func(reader *Reader) {
		watched = must[Watched](t)(reader.WatchConsistency(second, first))
	})
	if found := must[Consistency](t)(proofs.Consistency(watched)); found != Grown {
		t.Errorf("%v", found)
	}
	// A store that was put back to before its last checkpoint.
	old := must[*Reader](t)(NewReader(r.domain, Walk{Under: second, Own: must[*Head](t)(ResumeHead(stored))}))
	for _, line := range shown {
		if err := old.Push(line); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := old.Finish(); !errors.Is(err, Rejected) {
		t.Errorf("an old store: %v", err)
	}
	// Another log of the same name and size.
	other := openRegister(t)
	other.signs(t, "another deed")
	fork, _ := other.checkpoint(t)
	if found := must[Consistency](t)(second.Compare(fork)); found != Fork {
		t.Errorf("%v", found)
	}
	pins := r.pins
	pins.LeastSize = 9
	if _, err := pins.Verify(r.domain, text); err != Invalid {
		t.Errorf("an old checkpoint: %v", err)
	}
	reader := must[*Reader](t)(NewReader(r.domain, Walk{Under: second}))
	if err := reader.Push(strings.Replace(r.lines[0], "RING::1", "RING::2", 1)); !errors.Is(err, Rejected) {
		t.Errorf("a chain that was altered: %v", err)
	}
}

func TestEvidenceOfWhatALogHolds(t *testing.T) {
	r := openRegister(t)
	signed := r.signs(t, "deed")
	checkpoint, text := r.checkpoint(t)
	var watched Watched
	proofs := r.walk(t, Walk{Under: checkpoint, Own: r.head}, func(reader *Reader) {
		watched = must[Watched](t)(reader.WatchPlaces(r.handles[1]))
	})
	exhibit := &Exhibit{
		Domain: r.domain, Name: "DUALSEAL", Record: signed.Record, Ring: r.ring,
		Place: must[*Place](t)(proofs.Place(watched, r.handles[1])), RingPlace: must[*Place](t)(proofs.RingPlace(watched)),
	}
	file := must[string](t)(exhibit.Evidence())
	policy := Policy{Log: must[ID](t)(LogFingerprint(r.domain, text)), Signer: r.ana}
	for content, verdict := range map[string]error{"deed": nil, "another": EvidenceRecord} {
		evidence := must[*Evidence](t)(OpenEvidence(file, policy))
		if _, err := io.WriteString(evidence, content); err != nil {
			t.Fatal(err)
		}
		if _, err := evidence.Finish(); !errors.Is(err, verdict) && err != verdict {
			t.Errorf("%q: %v", content, err)
		}
	}
	// Whoever gets the proof alone verifies it under the checkpoint, and nobody's place is another's.
	place := must[*Place](t)(VerifyPlace(checkpoint, exhibit.Place.Proof))
	hash := must[ID](t)(r.domain.HashContent(r.ana, strings.NewReader("deed")))
	verifier := &Verifier{Domain: r.domain, Ring: r.ring}
	if err := verifier.VerifyAt(r.ana, hash, signed.Record, place); err != nil {
		t.Error(err)
	}
	if err := verifier.VerifyAt(r.ana, hash, signed.Record, exhibit.RingPlace); err != Invalid {
		t.Errorf("the place of another entry: %v", err)
	}
	var told *Error
	if _, err := proofs.Place(watched, ID{1}); !errors.As(err, &told) || told.Field != "krunica_hash" {
		t.Errorf("an entry that is not there: %v", err)
	}
	// The ring in the form that leaves its operator, under the checkpoint that states it.
	published := must[string](t)(r.ring.Published())
	verifier.Ring = must[*Ring](t)(PublicRing(published, checkpoint))
	if err := verifier.VerifyHash(r.ana, hash, signed.Record); err != nil {
		t.Error(err)
	}
	// Of a record at another's place a file can be made, and nobody believes it.
	exhibit.Place = exhibit.RingPlace
	evidence, err := OpenEvidence(must[string](t)(exhibit.Evidence()), policy)
	if err == nil {
		_, _ = io.WriteString(evidence, "deed")
		_, err = evidence.Finish()
	}
	if !errors.Is(err, Rejected) {
		t.Errorf("at another's place: %v", err)
	}
}
