package dualseal

import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// What the library calls. Nothing may jump out of it, over the library's own frames: neither a panic nor what ends the
// goroutine, for which the function has one of its own.
//
//export dualsealConsume
func dualsealConsume(nonce *C.char, user unsafe.Pointer) C.int {
	asked := (*(*cgo.Handle)(user)).Value().(*consumer)
	text, unused, done := C.GoString(nonce), false, make(chan struct{})
	asked.ended = true
	go func() {
		defer close(done)
		defer func() {
			if asked.panicked = recover(); asked.panicked != nil {
				asked.ended = false
			}
		}()
		unused = asked.consume(text)
		asked.ended = false
	}()
	<-done
	if unused && !asked.ended && asked.panicked == nil {
		return 1
	}
	return 0
}
