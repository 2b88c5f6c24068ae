package dualseal

import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// What the library calls. Nothing may jump out of it, over the library's own frames.
//
//export dualsealConsume
func dualsealConsume(nonce *C.char, user unsafe.Pointer) (unused C.int) {
	asked := (*(*cgo.Handle)(user)).Value().(*consumer)
	defer func() {
		if asked.panicked = recover(); asked.panicked != nil {
			unused = 0
		}
	}()
	if asked.consume(C.GoString(nonce)) {
		return 1
	}
	return 0
}
