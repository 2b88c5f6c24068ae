package dualseal

// #include <stdlib.h>
// #include <dualseal_vault.h>
import "C"

import (
	"cmp"
	"slices"
	"unsafe"
)

// lent is what a call has of several handles: each is taken with [use], [change], [both] or [masters], and all go back
// at its end. The first that was closed is the call's error. Every call takes kinds in one order, such as a ring before
// proofs and heads, else two calls could wait for each other; one that takes a handle with use and then with change
// waits for itself.
type lent struct {
	taken []any
	done  []func()
	err   error
}

// A holder is a pointer to what has a handle.
type holder[P comparable, T any] interface {
	*T
	held() *handle[P]
}

// use takes a handle that the call leaves as it is. One that the call has already is not locked again. Of nil it is
// NULL, which the library refuses by its name where it may not be left out.
func use[P comparable, T any, H holder[P, T]](l *lent, of H) P {
	h := handleOf(of)
	if h != nil && slices.Contains(l.taken, any(h)) {
		return h.pointer
	}
	return lend(l, h, (*handle[P]).borrow)
}

// change takes one that the call changes, and that nobody else has meanwhile.
func change[P comparable, T any, H holder[P, T]](l *lent, of H) P {
	return lend(l, handleOf(of), (*handle[P]).alone)
}

func handleOf[P comparable, T any, H holder[P, T]](of H) *handle[P] {
	if of == nil {
		return nil
	}
	return of.held()
}

func lend[P comparable](l *lent, h *handle[P], take func(*handle[P]) (P, func(), error)) P {
	var none P
	if l.err != nil || h == nil {
		return none
	}
	pointer, done, err := take(h)
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

// together takes several of one kind in one order, whoever asks: two calls that wait for each other would wait for
// ever.
func together[P comparable](l *lent, handles ...*handle[P]) []P {
	inOrder := slices.SortedFunc(slices.Values(handles), func(a, b *handle[P]) int {
		return cmp.Compare(uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b)))
	})
	for _, one := range inOrder {
		use(l, one)
	}
	pointers := make([]P, len(handles))
	for i, one := range handles {
		pointers[i] = use(l, one)
	}
	return pointers
}

func both[P comparable, T any, H holder[P, T]](l *lent, first, second H) (one, other P) {
	pair := together(l, handleOf(first), handleOf(second))
	return pair[0], pair[1]
}

// sealerOf is that of a vault, and NULL of nil, as [use] has it.
func sealerOf(l *lent, vault *Vault) *C.dualseal_vault_sealer {
	if vault == nil {
		return nil
	}
	return use(l, &vault.sealer)
}

// masterOf is that of a vault, and NULL of nil, as [use] has it.
func masterOf(l *lent, vault *Vault) *C.dualseal_vault_master {
	if vault == nil {
		return nil
	}
	return use(l, &vault.master)
}

// NoVaults says that no vault has records in a log. A list that is nil does not: the list may have been forgotten.
var NoVaults = []*Vault{}

// masters is an array of the masters of these vaults, in C's own memory, which the call frees.
func masters(l *lent, vaults []*Vault) (**C.dualseal_vault_master, C.size_t) {
	if vaults == nil {
		// The library refuses an array of one that is NULL.
		return nil, 1
	}
	if len(vaults) == 0 {
		return nil, 0
	}
	handles := make([]*handle[*C.dualseal_vault_master], len(vaults))
	for i, vault := range vaults {
		if vault != nil {
			handles[i] = vault.master.handle
		}
	}
	size := C.size_t(unsafe.Sizeof((*C.dualseal_vault_master)(nil)))
	array := (**C.dualseal_vault_master)(C.calloc(C.size_t(len(vaults)), size))
	l.done = append(l.done, func() { C.free(unsafe.Pointer(array)) })
	copy(unsafe.Slice(array, len(vaults)), together(l, handles...))
	return array, C.size_t(len(vaults))
}
