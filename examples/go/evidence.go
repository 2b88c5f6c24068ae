package dualseal

// #include <stdlib.h>
// #include <dualseal.h>
import "C"

import (
	"encoding/json"
	"time"
)

// Policy is what a verifier of evidence asks for. Whose record it must be is said in one way of three.
type Policy struct {
	// Log is the log's fingerprint, which people compare.
	Log ID
	// Domain is nil where the evidence names it.
	Domain *Domain
	// Signer is the identity that must have signed, Key the hash of its key, and AnySigner takes whoever the log has.
	Signer, Key ID
	AnySigner   bool
	// LeastSize refuses a checkpoint of fewer entries: an old file may hide a revocation.
	LeastSize uint64
	// Witnesses are their verifier keys, of which Needed must have seen the log.
	Witnesses []string
	Needed    int
	// WitnessedAfter asks that they did by then; the zero time asks for nothing.
	WitnessedAfter time.Time
}

// Evidence is a file of evidence of which all holds that needs no document. The document is written to it, in parts of
// any size, and [Evidence.Finish] gives the verdict.
type Evidence struct{ *handle[*C.dualseal_evidence] }

// Report is what evidence shows. JSON has all of it.
type Report struct {
	// Kind is potpis, pecat, trezor, kvorum or brisanje.
	Kind   string `json:"vrsta"`
	Origin string `json:"origin"`
	// Identity is whose key it was, and Key its hash.
	Identity ID `json:"identity_id"`
	Key      ID `json:"key"`
	// NotShown is what this kind of evidence cannot show, or empty.
	NotShown string `json:"not_shown"`

	JSON json.RawMessage `json:"-"`
}

func orNil(id ID) *C.char {
	if id == (ID{}) {
		return nil
	}
	return id.c()
}

// OpenEvidence verifies the log, its checkpoint, the places and the key.
func OpenEvidence(file string, policy Policy) (*Evidence, error) {
	var l lent
	defer l.back()
	domain := use(&l, policy.Domain)
	if l.err != nil {
		return nil, l.err
	}
	witnesses, free, err := names("witnesses", policy.Witnesses)
	if err != nil {
		return nil, err
	}
	defer free()
	if policy.Needed < 0 || policy.Needed > len(policy.Witnesses) {
		return nil, told(C.DUALSEAL_STATUS_RANGE, "needed", "as many witnesses are needed as are named, at most")
	}
	var after *C.int64_t
	if !policy.WitnessedAfter.IsZero() {
		ms := millis(policy.WitnessedAfter)
		after = &ms
	}
	var evidence *C.dualseal_evidence
	var e *C.dualseal_error
	text, n := sized(file)
	status := C.dualseal_evidence_open(domain, policy.Log.c(), orNil(policy.Signer), orNil(policy.Key),
		flag(policy.AnySigner), C.uint64_t(policy.LeastSize), witnesses, C.size_t(len(policy.Witnesses)),
		C.uint32_t(policy.Needed), after, text, n, &evidence, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	return &Evidence{own(evidence, func(e *C.dualseal_evidence) { C.dualseal_evidence_free(e) })}, nil
}

// Write takes the next part of the document.
func (v *Evidence) Write(part []byte) (int, error) {
	var l lent
	defer l.back()
	evidence := change(&l, v)
	if l.err != nil {
		return 0, l.err
	}
	var e *C.dualseal_error
	bytes, n := raw(part)
	if err := check(C.dualseal_evidence_update(evidence, bytes, n, &e), &e); err != nil {
		return 0, err
	}
	return len(part), nil
}

// Finish verifies the record over all parts. The error is nil for Valid alone; of Revoked and Suspended there is a
// report as well.
func (v *Evidence) Finish() (*Report, error) {
	var l lent
	defer l.back()
	evidence := change(&l, v)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var out *C.char
	verdict := check(C.dualseal_evidence_finish(evidence, &out, &e), &e)
	if out == nil {
		return nil, verdict
	}
	report := &Report{JSON: json.RawMessage(taken(out))}
	if err := unread(json.Unmarshal(report.JSON, report)); err != nil {
		return nil, err
	}
	return report, verdict
}

// Compare tells whether the log takes back what other evidence of the same key showed ([EvidenceRetold]). Both have
// their verdicts.
func (v *Evidence) Compare(other *Evidence) error {
	var l lent
	defer l.back()
	first, second := both(&l, v, other)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	return check(C.dualseal_evidence_compare(first, second, &e), &e)
}
