package dualseal

// #include <stdlib.h>
// #include <string.h>
// #include <dualseal.h>
import "C"

import (
	"bytes"
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// ErrClosed is returned for whatever was closed before, and is an [*Error].
var ErrClosed error = told(C.DUALSEAL_STATUS_WRONG_HANDLE, "", "already closed")

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

func (h *handle[P]) held() *handle[P] { return h }

// takeOver has the handle hold what another one held, which is closed by it. The caller has both alone.
func (h *handle[P]) takeOver(from *handle[P]) {
	var none P
	from.cleanup.Stop()
	h.cleanup.Stop()
	h.free(h.pointer)
	h.pointer, from.pointer = from.pointer, none
	h.cleanup = runtime.AddCleanup(h, h.free, h.pointer)
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

// sizedBytes is a text of bytes, of which the same is true.
func sizedBytes(text []byte) (*C.char, C.size_t) {
	if len(text) == 0 {
		return sized("")
	}
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.size_t(len(text))
}

// raw is bytes that go in with their length. They are not copied.
func raw(bytes []byte) (*C.uint8_t, C.size_t) {
	return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(bytes))), C.size_t(len(bytes))
}

// terminated is a text that ends with NUL, in memory of Go's.
func terminated(text string) *C.char {
	return (*C.char)(unsafe.Pointer(unsafe.SliceData(append([]byte(text), 0))))
}

// named is an argument that ends with NUL. What stands behind a NUL in it would not be seen.
func named(argument, text string) (*C.char, error) {
	if at := strings.IndexByte(text, 0); at >= 0 {
		refused := told(C.DUALSEAL_STATUS_CONTROL, argument, argument+" contains NUL")
		refused.Index = int64(at)
		return nil, refused
	}
	return terminated(text), nil
}

// taken copies a text of the library's, and gives it back to be overwritten. NULL is the empty text.
func taken(text *C.char) string {
	defer C.dualseal_string_free(text)
	return C.GoString(text)
}

// takenSecret does the same with a secret. No string of Go's has it, which nobody could overwrite.
func takenSecret(text *C.char) Secret {
	defer C.dualseal_string_free(text)
	if text == nil {
		return nil
	}
	return bytes.Clone(unsafe.Slice((*byte)(unsafe.Pointer(text)), C.strlen(text)))
}

// takenBytes does the same with bytes.
func takenBytes(start *C.uint8_t, length C.size_t) []byte {
	defer C.dualseal_bytes_free(start)
	return bytes.Clone(unsafe.Slice((*byte)(unsafe.Pointer(start)), length))
}

// list is an array of texts that are JSON. It has its size at once: of secrets nothing is left where it grew.
func list[T ~string | ~[]byte](items []T) []byte {
	size := 1 + max(1, len(items))
	for _, item := range items {
		size += len(item)
	}
	made := append(make([]byte, 0, size), '[')
	for i, item := range items {
		if i > 0 {
			made = append(made, ',')
		}
		made = append(made, item...)
	}
	return append(made, ']')
}

// split takes a list of secrets apart, and overwrites it.
func split(list Secret) ([]Secret, error) {
	defer list.Wipe()
	var elements []json.RawMessage
	if err := unread(json.Unmarshal(list, &elements)); err != nil {
		return nil, err
	}
	secrets := make([]Secret, len(elements))
	for i, element := range elements {
		secrets[i] = Secret(element)
	}
	return secrets, nil
}

func millis(at time.Time) C.int64_t { return C.int64_t(at.UnixMilli()) }

// The bytes that are read at a time: large enough that the way into C costs nothing beside the hash.
const partBytes = 64 << 10

// How often on end a reader may give nothing, and not say why.
const mostEmpty = 100

// parts hands a reader's bytes on, one part after another.
func parts(source io.Reader, each func([]byte) error) error {
	buffer := make([]byte, partBytes)
	defer clear(buffer)
	for empty := 0; ; {
		n, err := source.Read(buffer)
		if empty++; empty > mostEmpty && n == 0 && err == nil {
			return io.ErrNoProgress
		}
		if n > 0 {
			empty = 0
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

func flag(set bool) C.int32_t {
	if set {
		return 1
	}
	return 0
}

// names is an array of texts in C's own memory, since Go's pointers may not lie in Go's memory that C is given.
func names(argument string, texts []string) (**C.char, func(), error) {
	if len(texts) == 0 {
		return nil, func() {}, nil
	}
	array := (**C.char)(C.calloc(C.size_t(len(texts)), C.size_t(unsafe.Sizeof((*C.char)(nil)))))
	list := unsafe.Slice(array, len(texts))
	free := func() {
		for _, text := range list {
			C.free(unsafe.Pointer(text))
		}
		C.free(unsafe.Pointer(array))
	}
	for i, text := range texts {
		if _, err := named(argument, text); err != nil {
			free()
			return nil, nil, err
		}
		list[i] = C.CString(text)
	}
	return array, free, nil
}

func ids(of []ID) (**C.char, func(), error) {
	texts := make([]string, len(of))
	for i, id := range of {
		texts[i] = id.String()
	}
	return names("", texts)
}
