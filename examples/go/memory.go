package dualseal

// #include <dualseal.h>
import "C"

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// ErrClosed is returned for whatever was closed before.
var ErrClosed = errors.New("dualseal: already closed")

// A handle holds a pointer of the library until it is closed, or until nothing refers to it.
type handle[P comparable] struct {
	lock    sync.RWMutex
	pointer P
	free    func(P)
	cleanup runtime.Cleanup
}

func own[P comparable](pointer P, free func(P)) *handle[P] {
	h := &handle[P]{pointer: pointer, free: free}
	h.cleanup = runtime.AddCleanup(h, free, pointer)
	return h
}

// Close gives the memory back, after whatever is using it now, and overwrites what is secret. Closing again does
// nothing.
func (h *handle[P]) Close() error {
	h.lock.Lock()
	defer h.lock.Unlock()
	var none P
	if h.pointer != none {
		h.cleanup.Stop()
		h.free(h.pointer)
		h.pointer = none
	}
	return nil
}

// borrow is for what the call leaves as it is; several may have it at once.
func (h *handle[P]) borrow() (P, func(), error) {
	return h.take(h.lock.RLock, h.lock.RUnlock)
}

// alone is for what the call changes.
func (h *handle[P]) alone() (P, func(), error) {
	return h.take(h.lock.Lock, h.lock.Unlock)
}

func (h *handle[P]) take(lock, unlock func()) (P, func(), error) {
	var none P
	lock()
	if h.pointer == none {
		unlock()
		return none, nil, ErrClosed
	}
	return h.pointer, func() {
		unlock()
		// Else it might be cleaned up while the library still has it.
		runtime.KeepAlive(h)
	}, nil
}

// No argument of the library's may be NULL where it is a text, and an empty one of Go's has no address.
var nothing = [1]byte{}

// sized is a text that goes in with its length. It is not copied.
func sized(text string) (*C.char, C.size_t) {
	if text == "" {
		return (*C.char)(unsafe.Pointer(&nothing)), 0
	}
	return (*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.size_t(len(text))
}

// raw is bytes that go in with their length. They are not copied.
func raw(bytes []byte) (*C.uint8_t, C.size_t) {
	return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(bytes))), C.size_t(len(bytes))
}

// terminated is a text that ends with NUL, in memory of Go's.
func terminated(text string) *C.char {
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(append([]byte(text), 0))))
}

// named is a name of the caller's that ends with NUL. What stands behind a NUL in it would not be seen.
func named(text string) (*C.char, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, errors.New("dualseal: a name with a NUL in it")
	}
	return terminated(text), nil
}

// taken copies a text of the library's, and gives it back to be overwritten. NULL is the empty text.
func taken(text *C.char) string {
	defer C.dualseal_string_free(text)
	return C.GoString(text)
}

// takenBytes does the same with bytes.
func takenBytes(bytes *C.uint8_t, length C.size_t) []byte {
	defer C.dualseal_bytes_free(bytes)
	return C.GoBytes(unsafe.Pointer(bytes), C.int(length))
}

func millis(at time.Time) C.int64_t { return C.int64_t(at.UnixMilli()) }

// The bytes that are read at a time: large enough that the way into C costs nothing beside the hash.
const partBytes = 64 << 10

// parts hands a reader's bytes on, one part after another.
func parts(source io.Reader, each func([]byte) error) error {
	buffer := make([]byte, partBytes)
	defer clear(buffer)
	for {
		n, err := source.Read(buffer)
		if n > 0 {
			if err := each(buffer[:n]); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// asText is bytes of a text. No text may be NULL.
func asText(bytes *C.uint8_t) *C.char {
	if bytes == nil {
		return (*C.char)(unsafe.Pointer(&nothing))
	}
	return (*C.char)(unsafe.Pointer(bytes))
}
