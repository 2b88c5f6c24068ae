// Package dualseal signs, seals and verifies documents so that anybody can check them years later. It stands on the C
// library of the same name, which pkg-config finds; with the build tag static a program asks for no library when it
// runs.
//
// A verification returns nil for Valid and for nothing less; [Session.Confirm] and [SealKey.Confirm], whose nil is not
// Valid, are none. Every other verdict is an error of type [Verdict], for [errors.Is]; whatever gave no verdict is an
// [*Error], and so is what was left out: a nil that somebody forgot to fill is never read as consent. What a reader or
// a sink of the caller's says is handed on as it is. Whatever holds something of the library has a method Close, and is
// closed by the garbage collector where that was forgotten; what holds a secret prints nothing of it. All of them may
// be used by several goroutines: those that change wait for one another. A log is more than one of them: its ring
// follows the head entry by entry, so that whoever appends holds a lock of his own over head, ring, ledger and store.
package dualseal

// #include <dualseal.h>
import "C"

import (
	"encoding/hex"
	"io"
	"time"
	"unsafe"
)

// Version is that of the library at hand, such as 0.1.0.
func Version() string { return C.GoString(C.dualseal_version()) }

func init() {
	if C.dualseal_abi_version() != C.DUALSEAL_ABI_VERSION {
		panic("dualseal: the library at hand has another ABI than the header this program was compiled with")
	}
}

// ID is an identifier or a hash of 32 bytes, which texts have in lowercase hexadecimal.
type ID [32]byte

// ParseID reads 64 lowercase hexadecimal characters.
func ParseID(text string) (ID, error) {
	var id ID
	if len(text) != hex.EncodedLen(len(id)) {
		return ID{}, told(C.DUALSEAL_STATUS_LENGTH, "text", "an identifier has 64 characters")
	}
	if _, err := hex.Decode(id[:], []byte(text)); err != nil || id.String() != text {
		return ID{}, told(C.DUALSEAL_STATUS_HEX, "text", "an identifier is lowercase hexadecimal")
	}
	return id, nil
}

func (id ID) String() string { return hex.EncodeToString(id[:]) }

// MarshalText is String.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText is ParseID.
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}

func (id ID) c() *C.char { return terminated(id.String()) }

// An idText takes an identifier from the library.
type idText [C.DUALSEAL_ID_TEXT_BYTES]byte

func (t *idText) c() *C.char { return (*C.char)(unsafe.Pointer(t)) }

func (t *idText) id() (ID, error) { return ParseID(string(t[:len(t)-1])) }

// Domain holds the constants that keep one deployment's hashes and statements apart from another's.
type Domain struct{ *handle[*C.dualseal_domain] }

// NewDomain makes the constants of a deployment of its name.
func NewDomain(name string) (*Domain, error) {
	var domain *C.dualseal_domain
	var e *C.dualseal_error
	text, err := named("name", name)
	if err != nil {
		return nil, err
	}
	if err := check(C.dualseal_domain_new(text, &domain, &e), &e); err != nil {
		return nil, err
	}
	return &Domain{own(domain, func(d *C.dualseal_domain) { C.dualseal_domain_free(d) })}, nil
}

// IdentityID is the general identifier of content by creator in context.
func (d *Domain) IdentityID(content []byte, creator, context string) (ID, error) {
	var l lent
	defer l.back()
	domain := use(&l, d)
	if l.err != nil {
		return ID{}, l.err
	}
	var e *C.dualseal_error
	var out idText
	bytes, n := raw(content)
	by, byLen := sized(creator)
	in, inLen := sized(context)
	status := C.dualseal_identity_id(domain, bytes, n, by, byLen, in, inLen, out.c(), C.size_t(len(out)), &e)
	if err := check(status, &e); err != nil {
		return ID{}, err
	}
	return out.id()
}

// HashContent reads content to its end and gives its hash for a signature by identity. It says nothing of who signs.
func (d *Domain) HashContent(identity ID, content io.Reader) (ID, error) {
	hasher, err := d.hasher(identity)
	if err != nil {
		return ID{}, err
	}
	defer C.dualseal_content_hasher_free(hasher)
	err = parts(content, func(part []byte) error {
		var e *C.dualseal_error
		bytes, n := raw(part)
		return check(C.dualseal_content_hasher_update(hasher, bytes, n, &e), &e)
	})
	if err != nil {
		return ID{}, err
	}
	var e *C.dualseal_error
	var out idText
	if err := check(C.dualseal_content_hasher_finish(hasher, out.c(), C.size_t(len(out)), &e), &e); err != nil {
		return ID{}, err
	}
	return out.id()
}

// hasher keeps nothing of the domain, so that nobody waits for it while the caller's reader runs. So it is with all
// that is read and written in parts.
func (d *Domain) hasher(identity ID) (*C.dualseal_content_hasher, error) {
	var l lent
	defer l.back()
	domain := use(&l, d)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var hasher *C.dualseal_content_hasher
	err := check(C.dualseal_content_hasher_new(domain, identity.c(), &hasher, &e), &e)
	return hasher, err
}

// Head is where a chain ends. What appends moves it on: its holder stores it together with the entry, or neither.
type Head struct{ *handle[*C.dualseal_head] }

// NewHead is the head of an empty chain.
func NewHead() (*Head, error) { return newHead(nil, 0) }

// ResumeHead takes what [Head.MarshalJSON] gave. Nothing is no head: a chain is begun by [NewHead] alone.
func ResumeHead(stored []byte) (*Head, error) { return newHead(sizedBytes(stored)) }

func newHead(text *C.char, n C.size_t) (*Head, error) {
	var head *C.dualseal_head
	var e *C.dualseal_error
	if err := check(C.dualseal_head_new(text, n, &head, &e), &e); err != nil {
		return nil, err
	}
	return ownHead(head), nil
}

func ownHead(head *C.dualseal_head) *Head {
	return &Head{own(head, func(h *C.dualseal_head) { C.dualseal_head_free(h) })}
}

// Size is the number of entries.
func (h *Head) Size() (uint64, error) {
	var l lent
	defer l.back()
	head := use(&l, h)
	if l.err != nil {
		return 0, l.err
	}
	var e *C.dualseal_error
	var size C.uint64_t
	err := check(C.dualseal_head_parts(head, &size, nil, 0, nil, 0, nil, &e), &e)
	return uint64(size), err
}

// Root is that of the tree over all entries, as checkpoints state it.
func (h *Head) Root() (ID, error) {
	var l lent
	defer l.back()
	head := use(&l, h)
	if l.err != nil {
		return ID{}, l.err
	}
	var e *C.dualseal_error
	var out idText
	status := C.dualseal_head_parts(head, nil, nil, 0, out.c(), C.size_t(len(out)), nil, &e)
	if err := check(status, &e); err != nil {
		return ID{}, err
	}
	return out.id()
}

// MarshalJSON is the head as its holder stores it.
func (h *Head) MarshalJSON() ([]byte, error) {
	var l lent
	defer l.back()
	head := use(&l, h)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var out *C.char
	err := check(C.dualseal_head_parts(head, nil, nil, 0, nil, 0, &out, &e), &e)
	return []byte(taken(out)), err
}

// Append appends a message about an identity, and returns its entry as JSON.
func (h *Head) Append(domain *Domain, identity ID, message string, at time.Time) (string, error) {
	var l lent
	defer l.back()
	d, head := use(&l, domain), change(&l, h)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var entry *C.char
	text, n := sized(message)
	err := check(C.dualseal_head_append(head, d, identity.c(), text, n, millis(at), &entry, &e), &e)
	return taken(entry), err
}

// EntryLine is an entry as a line of a chain file, and its short handle, which records carry (krunica_hash).
func EntryLine(entry string) (string, ID, error) {
	var e *C.dualseal_error
	var line *C.char
	var out idText
	text, n := sized(entry)
	if err := check(C.dualseal_entry_parts(text, n, &line, out.c(), C.size_t(len(out)), &e), &e); err != nil {
		return "", ID{}, err
	}
	id, err := out.id()
	return taken(line), id, err
}

// nothingOfC is the way into C and back.
func nothingOfC() { C.dualseal_abi_version() }
