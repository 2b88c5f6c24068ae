package dualseal

// #include <dualseal.h>
import "C"

import "crypto/mldsa"

// Form is what a binary form is of.
type Form int32

// The forms that columns and queues have, half as long as their text.
const (
	BinaryRecord Form = C.DUALSEAL_BINARY_RECORD
	// BinaryShortRecord leaves the public key to the reader.
	BinaryShortRecord Form = C.DUALSEAL_BINARY_SHORT_RECORD
	BinaryEntry       Form = C.DUALSEAL_BINARY_ENTRY
	BinarySeal        Form = C.DUALSEAL_BINARY_SEAL
)

// FromText is the binary form of a record, entry or seal. Nothing is verified.
func (f Form) FromText(text string) ([]byte, error) {
	var e *C.dualseal_error
	var out *C.uint8_t
	var n C.size_t
	given, length := sized(text)
	err := check(C.dualseal_binary_from_text(C.dualseal_binary(f), given, length, &out, &n, &e), &e)
	return takenBytes(out, n), err
}

// ToText is the text of a binary form of this kind. The key is that of a short record, and else nil.
func (f Form) ToText(stored []byte, key *mldsa.PublicKey) (string, error) {
	var e *C.dualseal_error
	var out *C.char
	bytes, n := raw(stored)
	public, length := perhaps(key)
	err := check(C.dualseal_binary_to_text(C.dualseal_binary(f), bytes, n, public, length, &out, &e), &e)
	return taken(out), err
}
