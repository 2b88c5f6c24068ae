package dualseal

// #include <dualseal_sharing.h>
import "C"

import (
	"encoding/json"
	"fmt"
	"syscall"
)

// Verdict is what a verification concluded that is not Valid: an error, so that nothing but nil is a pass.
type Verdict int32

// The verdicts. Only [Decoy] says more than it may seem: every check held, with a key that authorises nothing.
const (
	Invalid   Verdict = C.DUALSEAL_STATUS_INVALID
	Revoked   Verdict = C.DUALSEAL_STATUS_REVOKED
	Suspended Verdict = C.DUALSEAL_STATUS_SUSPENDED
	Decoy     Verdict = C.DUALSEAL_STATUS_DECOY
)

func (v Verdict) Error() string { return "dualseal: " + Status(v).text() }

// Status is the number of an error, the same in every language and listed in docs/ERRORS.md. It is an error itself, so
// that errors.Is(err, dualseal.Status(345)) works for those that have no name here.
type Status int32

// Some that programs ask for.
const (
	RingRollback    Status = C.DUALSEAL_STATUS_RING_ROLLBACK
	TooFewShares    Status = C.DUALSEAL_STATUS_TOO_FEW_SHARES
	StreamKey       Status = C.DUALSEAL_STATUS_STREAM_KEY
	StreamChunk     Status = C.DUALSEAL_STATUS_STREAM_CHUNK
	NonceUsed       Status = C.DUALSEAL_STATUS_PRESENCE_NONCE_USED
	EvidenceLog     Status = C.DUALSEAL_STATUS_EVIDENCE_LOG
	EvidenceOld     Status = C.DUALSEAL_STATUS_EVIDENCE_OLD
	EvidenceRecord  Status = C.DUALSEAL_STATUS_EVIDENCE_RECORD
	EvidenceRetold  Status = C.DUALSEAL_STATUS_EVIDENCE_RETOLD
	TooFewWitnesses Status = C.DUALSEAL_STATUS_TOO_FEW_WITNESSES
	NotCurrent      Status = C.DUALSEAL_STATUS_NOT_CURRENT
	UnknownIdentity Status = C.DUALSEAL_STATUS_UNKNOWN_IDENTITY
	StaleGeneration Status = C.DUALSEAL_STATUS_STALE_GENERATION
	StaleSplit      Status = C.DUALSEAL_STATUS_STALE_SPLIT
	TooFewSaid      Status = C.DUALSEAL_STATUS_TOO_FEW_ACKNOWLEDGEMENTS
	NotVerified     Status = C.DUALSEAL_STATUS_NOT_VERIFIED
	NotLocated      Status = C.DUALSEAL_STATUS_NOT_LOCATED
	LedgerTruncated Status = C.DUALSEAL_STATUS_LEDGER_TRUNCATED
	LedgerFork      Status = C.DUALSEAL_STATUS_LEDGER_FORK
)

func (s Status) text() string { return C.GoString(C.dualseal_status_text(C.dualseal_status(s))) }

func (s Status) Error() string { return "dualseal: " + s.text() }

// Family is what kind of thing went wrong, and an error for [errors.Is].
type Family int32

// The families of errors.
const (
	// Malformed is input of the wrong form.
	Malformed Family = C.DUALSEAL_FAMILY_MALFORMED
	// Rejected is evidence that does not hold.
	Rejected Family = C.DUALSEAL_FAMILY_REJECTED
	// Misuse is a call that makes no sense.
	Misuse Family = C.DUALSEAL_FAMILY_MISUSE
	// Randomness is the system's generator, which failed.
	Randomness Family = C.DUALSEAL_FAMILY_RANDOMNESS
	// Call is what the C library tells of a call: an argument, a file, a handle, or a defect of its own.
	Call Family = C.DUALSEAL_FAMILY_CALL
)

func (f Family) Error() string {
	switch f {
	case Malformed:
		return "dualseal: malformed input"
	case Rejected:
		return "dualseal: rejected evidence"
	case Misuse:
		return "dualseal: misuse"
	case Randomness:
		return "dualseal: no randomness"
	default:
		return "dualseal: a call that failed"
	}
}

// Error is what went wrong in a call that gave no verdict. It holds no secret.
type Error struct {
	Status Status
	Family Family
	// Field is the argument or the member of a record that was wrong, or empty.
	Field string
	// Index is where in it: the byte of a text, the item of a list, the entry of a chain; -1 for nowhere.
	Index int64
	// Culprits are the indices of the shares or shards that are wrong, Foreign those that are of another set.
	Culprits, Foreign []int
	// Result is that of a quorum that was refused ([Session.Sign]), with ok false, and else empty.
	Result string
	// System is the system's number for a file, or 0.
	System syscall.Errno

	message string
}

func (e *Error) Error() string { return "dualseal: " + e.message }

// Is says that an error is of its status, and of that status's family.
func (e *Error) Is(target error) bool {
	switch target := target.(type) {
	case Status:
		return e.Status == target
	case Family:
		return e.Family == target
	}
	return false
}

// Unwrap gives what the system said of a file.
func (e *Error) Unwrap() error {
	if e.System == 0 {
		return nil
	}
	return e.System
}

// told is an error that the library need not be asked for.
func told(status C.dualseal_status, field, message string) *Error {
	family := Family(C.dualseal_status_family(status))
	return &Error{Status: Status(status), Family: family, Field: field, Index: -1, message: message}
}

// leftOut is what the library says of an argument that is NULL.
func leftOut(argument string) *Error {
	return told(C.DUALSEAL_STATUS_NULL_ARGUMENT, argument, argument+" is nil")
}

// unread is of what the library gave and cannot be read: a defect of the one or the other.
func unread(err error) error {
	if err == nil {
		return nil
	}
	return told(C.DUALSEAL_STATUS_PANIC, "", "what the library gave cannot be read: "+err.Error())
}

// check makes an error of what a call returned, and frees the library's own. It is given the place of that: what stands
// there may be read before the call that is another argument.
func check(status C.dualseal_status, e **C.dualseal_error) error {
	defer C.dualseal_error_free(*e)
	switch family := C.dualseal_status_family(status); {
	case status == C.DUALSEAL_OK:
		return nil
	case family == C.DUALSEAL_FAMILY_VERDICT && status != C.DUALSEAL_STATUS_AUTHENTICATED:
		return Verdict(status)
	default:
		made := &Error{Status: Status(status), Family: Family(family), Index: -1, message: Status(status).text()}
		if *e != nil {
			made.tell(*e)
		}
		return made
	}
}

func (e *Error) tell(of *C.dualseal_error) {
	e.message = C.GoString(C.dualseal_error_message(of))
	e.Field = C.GoString(C.dualseal_error_field(of))
	e.Index = int64(C.dualseal_error_index(of))
	e.Result = C.GoString(C.dualseal_error_session_result(of))
	e.System = syscall.Errno(C.dualseal_error_os(of))
	var faults struct{ Culprits, Foreign []int }
	if err := json.Unmarshal([]byte(C.GoString(C.dualseal_error_faults(of))), &faults); err != nil {
		e.message += fmt.Sprintf(" (whose fault it is cannot be read: %v)", err)
	}
	e.Culprits, e.Foreign = faults.Culprits, faults.Foreign
}
