package dualseal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// remains looks for what is left of a secret in Go's heap, which is around the secret. Its own copy, and the pages that
// it reads, are elsewhere.
type remains struct {
	outside []byte
	needle  []byte
	heap    uint64
}

const pageBytes = 1 << 20

func remember(t *testing.T, part []byte) *remains {
	t.Helper()
	outside := must[[]byte](t)(syscall.Mmap(-1, 0, pageBytes+len(part), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE))
	t.Cleanup(func() { _ = syscall.Munmap(outside) })
	copy(outside[pageBytes:], part)
	return &remains{outside[:pageBytes], outside[pageBytes:], uint64(uintptr(unsafe.Pointer(&part[0])))}
}

// count is how often it is there. Go's heap is one region, and nothing else begins within so many bytes of it.
func (r *remains) count(t *testing.T) (found int) {
	t.Helper()
	maps := must[*os.File](t)(os.Open("/proc/self/maps"))
	defer maps.Close()
	memory := must[*os.File](t)(os.Open("/proc/self/mem"))
	defer memory.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var start, end uint64
		var may string
		if _, err := fmt.Sscanf(lines.Text(), "%x-%x %s", &start, &end, &may); err != nil {
			t.Fatal(err)
		}
		if max(start, r.heap)-min(start, r.heap) > 4<<30 || !strings.HasPrefix(may, "rw") {
			continue
		}
		// Pages overlap by what may lie across their border.
		for at := start; at < end; at += uint64(len(r.outside) - len(r.needle) + 1) {
			n, err := memory.ReadAt(r.outside[:min(uint64(len(r.outside)), end-at)], int64(at))
			if err != nil {
				t.Fatal(err)
			}
			found += bytes.Count(r.outside[:n], r.needle)
		}
	}
	return found
}

// part is the 64 bytes behind a member of a secret, which nothing else has.
func part(t *testing.T, secret Secret, member string) []byte {
	t.Helper()
	_, part, found := bytes.Cut(secret, []byte(member))
	if !found {
		t.Fatalf("nothing with %s", member)
	}
	return part[:64]
}

// A signal by which Go's runtime interrupts somebody who just copies a secret leaves the processor's registers in the
// stack that it has for signals. It sends none of these in a process that asks for it.
func TestWhatIsWipedIsNowhereInGosMemory(t *testing.T) {
	const without = "asyncpreemptoff=1"
	if os.Getenv("GODEBUG") != without {
		again := exec.Command(must[string](t)(os.Executable()), "-test.v", "-test.run=^"+t.Name()+"$")
		again.Env = append(os.Environ(), "GODEBUG="+without)
		told, err := again.CombinedOutput()
		if err != nil || !strings.Contains(string(told), "--- PASS: "+t.Name()) {
			t.Errorf("%v: %s", err, told)
		}
		return
	}
	b := openRegister(t)
	q := convene(t, false)
	vault := must[*Vault](t)(NewVault(b.signer, bytes.Repeat([]byte{3}, 32)))
	sealed := func() *Sealed {
		var stored bytes.Buffer
		ledger := must[*Ledger](t)(GenerateLedger())
		return must[*Sealed](t)(vault.Seal("DEED", &stored, strings.NewReader("House 7"), ledger, b.head, noon))
	}
	for _, one := range []struct {
		name, member string
		make         func() []Secret
	}{
		{"shares of a secret", `,"`, func() []Secret {
			_, shares, err := must[*SharedSecret](t)(GenerateSecret()).Deal(b.domain, 2, 3)
			if err != nil {
				t.Fatal(err)
			}
			return shares
		}},
		{"shares of a secret that were dealt anew", `,"`, func() []Secret {
			dealing, shares, err := must[*SharedSecret](t)(GenerateSecret()).Deal(b.domain, 2, 3)
			if err != nil {
				t.Fatal(err)
			}
			again, _, err := Repair(b.domain, dealing, shares[1:], 1)
			if err != nil {
				t.Fatal(err)
			}
			must[*Health](t)(CheckShares(b.domain, dealing, shares))
			return append(append(shares, again), must[*Renewed](t)(Renew(b.domain, dealing, shares, 0, 0)).Shares...)
		}},
		{"shares of a session", `"vrijednost_hex":"`, func() []Secret {
			board := must[ID](t)(b.domain.IdentityID(nil, "board", ""))
			return must[*Founded](t)(FoundSession(b.domain, b.ana, q.owners, 2, board, b.head, noon)).Shares
		}},
		{"shards", `"vrijednost_hex":"`, func() []Secret {
			return must[*Splitting](t)(vault.Split(sealed(), ID{}, 2, []string{"a", "b", "c"})).Shards
		}},
		{"shards that did not rebuild", `"vrijednost_hex":"`, func() []Secret {
			split := must[*Splitting](t)(vault.Split(sealed(), ID{}, 2, []string{"a", "b", "c"}))
			name, phone := split.Names[0], must[*PresenceKey](t)(GeneratePresenceKey())
			rebuilding := must[*Rebuilding](t)(vault.RebuildingWithoutChain(name.Vault, b.ana, []byte("us")))
			request := must[Request](t)(rebuilding.Request(name.Split, idsOf(split)))
			enrolled := []string{must[string](t)(phone.PublicKey())}
			gate := Gate{Identity: b.ana, Enrolled: enrolled, Needed: 1, Expiry: noon.Add(time.Minute)}
			consume := func(string) bool { return true }
			_, _, err := rebuilding.Rebuild(request, split.Shards, Presence{Gate: gate, Consume: consume, Now: noon})
			if !errors.Is(err, Rejected) {
				t.Errorf("without a proof: %v", err)
			}
			return split.Shards
		}},
		{"a ring's file", `"mac":"`, func() []Secret { return []Secret{must[Secret](t)(q.ring.Stored(q.head))} }},
		{"a vault record", `"fragment":"`, func() []Secret { return []Secret{sealed().Stored} }},
		{"shares that were dealt anew", `"vrijednost_hex":"`, func() []Secret {
			return must[*Prepared](t)(q.session.Prepare(q.founded.Shares, q.owners, 0, noon)).Shares
		}},
		{"a share that was made again", `"vrijednost_hex":"`, func() []Secret {
			share, _, err := q.session.Repair(q.founded.Shares[1:], 1, q.owners[0])
			if err != nil {
				t.Fatal(err)
			}
			q.founded.Shares[0].Wipe()
			return []Secret{share}
		}},
		{"a key's PEM", "KEY-----\n", func() []Secret { return []Secret{must[Secret](t)(b.key.PEM())} }},
		{"shares that signed", `"vrijednost_hex":"`, func() []Secret {
			must[*Result](t)(q.session.Sign(q.ring, []byte("resolution"), q.ana, q.founded.Shares[1:], q.head, noon))
			if _, _, err := q.session.Reached(q.founded.Shares[1:]); err != nil {
				t.Fatal(err)
			}
			return q.founded.Shares[1:]
		}},
	} {
		secrets := one.make()
		left := remember(t, part(t, secrets[0], one.member))
		if left.count(t) == 0 {
			t.Errorf("%s: not even what nobody wiped was found", one.name)
		}
		for _, secret := range secrets {
			secret.Wipe()
		}
		if found := left.count(t); found != 0 {
			t.Errorf("%s: %d copies are left", one.name, found)
		}
	}
}
