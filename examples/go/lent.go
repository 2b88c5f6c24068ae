package dualseal

// #include <stdlib.h>
// #include <dualseal_vault.h>
import "C"

import "unsafe"

// lent is what a call has of several handles: each is taken with [use] or [change], and all go back at its end. The
// first that was closed is the call's error.
type lent struct {
	taken []any
	done  []func()
	err   error
}

// use takes a handle that the call leaves as it is. One that the call has already is not locked again.
func use[P comparable](l *lent, h *handle[P]) P {
	for _, taken := range l.taken {
		if taken == any(h) {
			return h.pointer
		}
	}
	return lend(l, h, h.borrow)
}

// change takes one that the call changes, and that nobody else has meanwhile.
func change[P comparable](l *lent, h *handle[P]) P { return lend(l, h, h.alone) }

// maybe is use, or NULL for nil.
func maybe[P comparable](l *lent, h *handle[P]) P {
	if h == nil {
		var none P
		return none
	}
	return use(l, h)
}

func lend[P comparable](l *lent, h *handle[P], take func() (P, func(), error)) P {
	var none P
	if l.err != nil {
		return none
	}
	pointer, done, err := take()
	if err != nil {
		l.err = err
		return none
	}
	l.taken = append(l.taken, h)
	l.done = append(l.done, done)
	return pointer
}

func (l *lent) back() {
	for i := len(l.done) - 1; i >= 0; i-- {
		l.done[i]()
	}
}

// masters is an array of the masters of these vaults, in C's own memory, which the call frees.
func masters(l *lent, vaults []*Vault) (**C.dualseal_vault_master, C.size_t) {
	if len(vaults) == 0 {
		return nil, 0
	}
	size := C.size_t(unsafe.Sizeof((*C.dualseal_vault_master)(nil)))
	array := (**C.dualseal_vault_master)(C.calloc(C.size_t(len(vaults)), size))
	l.done = append(l.done, func() { C.free(unsafe.Pointer(array)) })
	for i, vault := range vaults {
		unsafe.Slice(array, len(vaults))[i] = use(l, vault.master.handle)
	}
	return array, C.size_t(len(vaults))
}

func flag(set bool) C.int32_t {
	if set {
		return 1
	}
	return 0
}
