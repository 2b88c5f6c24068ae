package dualseal

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

var errFull = errors.New("the disk is full")

// A disk has room for so many writes, or panics at the next one.
type disk struct {
	bytes.Buffer
	room   int
	panics bool
}

func (d *disk) Write(part []byte) (int, error) {
	if d.room == 0 {
		if d.panics {
			panic(errFull)
		}
		return 0, errFull
	}
	d.room--
	return d.Buffer.Write(part)
}

// caught is what work told, by its error or by a panic.
func caught(work func() error) (err error) {
	defer func() {
		if told := recover(); told != nil {
			err = told.(error)
		}
	}()
	return work()
}

// Whichever write of a document fails, the last one among them: the ledger and the chain are where they were, and what
// is sealed next stands in both, as whoever reads them finds.
func TestASinkThatFailsMovesNothing(t *testing.T) {
	a := openArchive(t)
	a.seals(t, "House 6")
	content := strings.Repeat("House 7. ", 20_000)
	where := func() string {
		return fmt.Sprintf("%s %+v", must[[]byte](t)(a.head.MarshalJSON()), must[LedgerParts](t)(a.ledger.Parts()))
	}
	before, failures := where(), 0
	for room := 0; len(a.sealed) == 1; room++ {
		for _, panics := range []bool{false, true} {
			sink := &disk{room: room, panics: panics}
			var sealed *Sealed
			err := caught(func() (err error) {
				sealed, err = a.vault.Seal("DEED", sink, strings.NewReader(content), a.ledger, a.head, noon)
				return err
			})
			if err == nil {
				a.stores(t, sealed, sink.Bytes())
				break
			}
			if failures++; err != errFull || sealed != nil || where() != before {
				t.Fatalf("write %d: %v, %v, %s", room, err, sealed, where())
			}
		}
	}
	if failures < 6 {
		t.Errorf("%d failures in all", failures)
	}
	a.seals(t, "House 8")
	places := a.places(t, func(r *Reader) (Watched, error) { return r.WatchLedger(a.name, a.vault) })
	operator := must[*VaultPolicy](t)(a.vault.Policy(TierPublic))
	running := must[*LedgerCheck](t)(a.verifier().CheckLedger(operator, a.name, places))
	for i, one := range a.sealed {
		if err := running.Push(one.Stored, a.hash(t, a.stored[i])); err != nil {
			t.Errorf("record %d: %v", i, err)
		}
	}
	if summary := must[*LedgerSummary](t)(running.Finish()); summary.Valid != 3 {
		t.Errorf("%+v", summary)
	}
}

// What was copied is freed once: by the step that failed, or by the head that took it over, which goes on being its.
func TestAStepIsWholeOrNothing(t *testing.T) {
	a := openArchive(t)
	seal := func(ledger *Ledger, head *Head) error {
		_, err := a.vault.Seal("DEED", new(bytes.Buffer), strings.NewReader("House 7"), ledger, head, noon)
		return err
	}
	if err := seal(nil, a.head); !isField(err, "ledger") {
		t.Errorf("without a ledger: %v", err)
	}
	if err := seal(a.ledger, nil); !isField(err, "head") {
		t.Errorf("without a head: %v", err)
	}
	for range 3 {
		a.seals(t, "House 7")
	}
	if size := must[LedgerParts](t)(a.ledger.Parts()).Size; size != 3 {
		t.Errorf("%d records", size)
	}
	if err := errors.Join(a.ledger.Close(), a.ledger.Close(), a.head.Close()); err != nil {
		t.Error(err)
	}
	if _, err := a.head.Size(); err != ErrClosed {
		t.Errorf("a head that was closed: %v", err)
	}
}

func isField(err error, field string) bool {
	var told *Error
	return errors.As(err, &told) && told.Family == Call && told.Field == field
}
