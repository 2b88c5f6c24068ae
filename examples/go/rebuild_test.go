package dualseal

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// idsOf are the identifiers of a splitting's shards.
func idsOf(split *Splitting) (shards []ID) {
	for _, name := range split.Names {
		shards = append(shards, name.Shard)
	}
	return shards
}

// A node asks for presence before it lets its shard go, and a nonce opens the gate once.
func TestPresenceOpensTheGateOnce(t *testing.T) {
	b := setUp(t)
	vault := must[*Vault](t)(NewVault(b.signer, bytes.Repeat([]byte{3}, 32)))
	ledger := must[*Ledger](t)(GenerateLedger())
	var stored bytes.Buffer
	sealed := must[*Sealed](t)(vault.Seal("DEED", &stored, strings.NewReader("House 7"), ledger, b.head, noon))
	if stored.Len() == 0 || strings.Contains(sealed.Redacted, "fragment\":\"") || must[uint64](t)(b.head.Size()) != 1 {
		t.Error("not sealed")
	}
	nodes := []string{"https://a.example", "https://b.example", "https://c.example"}
	split := must[*Splitting](t)(vault.Split(sealed, ID{}, 2, nodes))
	recipient := []byte("the service that rebuilds")
	rebuilding := must[*Rebuilding](t)(vault.RebuildingWithoutChain(split.Names[0].Vault, b.ana, recipient))
	request := must[Request](t)(rebuilding.Request(split.Names[0].Split, idsOf(split)))
	drawn := must[*PresenceKey](t)(GeneratePresenceKey())
	enrolled := []string{must[string](t)(drawn.PublicKey())}
	phone := must[*PresenceKey](t)(NewPresenceKey(must[Secret](t)(drawn.Seed())))
	gate := Gate{Identity: b.ana, Enrolled: enrolled, Needed: 1, Expiry: noon.Add(time.Minute)}
	proofs := []string{must[string](t)(phone.Prove(b.domain, request, gate.Expiry))}
	used := map[string]bool{}
	consume := func(nonce string) bool {
		fresh := !used[nonce]
		used[nonce] = true
		return fresh
	}
	release := func(proofs []string, recipient []byte, consume Consume, now time.Time) error {
		held := Held{Shard: split.Shards[0], NoChain: true}
		return ReleaseShard(b.domain, held, request, recipient, Presence{gate, proofs, consume, now})
	}
	if err := release(nil, recipient, consume, noon); !errors.Is(err, Rejected) {
		t.Errorf("without a proof: %v", err)
	}
	if err := release(proofs, []byte("somebody else"), consume, noon); !errors.Is(err, Rejected) {
		t.Errorf("for somebody else: %v", err)
	}
	if err := release(proofs, recipient, consume, noon.Add(time.Hour)); !errors.Is(err, Rejected) {
		t.Errorf("an hour later: %v", err)
	}
	if len(used) != 0 {
		t.Error("a refusal spent the nonce")
	}
	func() {
		defer func() {
			if told := recover(); told != "no database" {
				t.Errorf("the panic is lost: %v", told)
			}
		}()
		err := release(proofs, recipient, func(string) bool { panic("no database") }, noon)
		t.Errorf("went on: %v", err)
	}()
	// What ends the goroutine, as t.Fatal does, ends that of the caller, and opens nothing.
	ended := make(chan error, 1)
	go func() {
		defer close(ended)
		ended <- release(proofs, recipient, func(string) bool { runtime.Goexit(); return true }, noon)
	}()
	if err, went := <-ended; went {
		t.Errorf("went on: %v", err)
	}
	if err := release(proofs, recipient, consume, noon); err != nil {
		t.Fatal(err)
	}
	if err := release(proofs, recipient, consume, noon); !errors.Is(err, NonceUsed) {
		t.Errorf("again: %v", err)
	}
	if !used[request.Nonce.String()] || len(used) != 1 {
		t.Errorf("%v", used)
	}
	if err := vault.Close(); err != nil {
		t.Error(err)
	}
	if _, err := vault.Split(sealed, ID{}, 2, []string{"a"}); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed vault: %v", err)
	}
}

// ownSplits reads the chain as it stands, for whoever commits.
func (a *archive) ownSplits(t testing.TB, record ID) (*Proofs, Watched) {
	t.Helper()
	var watched Watched
	proofs := a.walk(t, Walk{NoCheckpoint: true, Own: a.head}, func(r *Reader) {
		watched = must[Watched](t)(r.WatchOwnSplits(a.vault, record, a.ana))
	})
	return proofs, watched
}

func (a *archive) splitInForce(t testing.TB, record ID) (*SplitInForce, []byte, error) {
	t.Helper()
	checkpoint, _ := a.checkpoint(t)
	var watched Watched
	proofs := a.walk(t, Walk{Under: checkpoint, Own: a.head}, func(r *Reader) {
		watched = must[Watched](t)(r.WatchSplits(a.vault, record, a.ana))
	})
	return proofs.Splits(watched)
}

func TestASecretIsRebuiltFromItsShards(t *testing.T) {
	a := openArchive(t)
	one, nodes := a.seals(t, "House 7"), []string{"https://a.example", "https://b.example", "https://c.example"}
	first := must[*Splitting](t)(a.vault.Split(one, ID{}, 2, nodes))
	late := must[*Splitting](t)(a.vault.Split(one, ID{}, 2, nodes))
	record, name := first.Names[0].Vault, first.Names[0].Split
	if none, told, err := a.splitInForce(t, record); none != nil || err == nil || !bytes.Contains(told, []byte("found")) {
		t.Errorf("before any: %s, %v", told, err)
	}
	commit := func(split *Splitting, held []ID, least uint8) error {
		proofs, watched := a.ownSplits(t, record)
		entry, err := split.Commit(held, least, proofs, watched, a.head, noon)
		if err == nil {
			err = a.ring.Follow(a.keep(t, entry), NoVaults)
		}
		return err
	}
	size := must[uint64](t)(a.head.Size())
	for _, held := range [][]ID{nil, idsOf(first)[:2], idsOf(late)} {
		if err := commit(first, held, 0); err == nil || must[uint64](t)(a.head.Size()) != size {
			t.Errorf("committed by %d: %v", len(held), err)
		}
	}
	if err := commit(first, idsOf(first), 0); err != nil {
		t.Fatal(err)
	}
	if err := commit(late, idsOf(late), 0); !errors.Is(err, StaleSplit) {
		t.Errorf("a second first: %v", err)
	}
	inForce, told, err := a.splitInForce(t, record)
	if err != nil || !bytes.Contains(told, []byte(name.String())) {
		t.Fatalf("%s, %v", told, err)
	}

	recipient, now := []byte("the service that rebuilds"), noon
	if _, err := a.vault.Rebuilding(record, a.ana, nil, recipient); !errors.Is(err, Call) {
		t.Errorf("a splitting that was forgotten: %v", err)
	}
	rebuilding := must[*Rebuilding](t)(a.vault.Rebuilding(record, a.ana, inForce, recipient))
	phone := must[*PresenceKey](t)(GeneratePresenceKey())
	enrolled := []string{must[string](t)(phone.PublicKey())}
	gate := Gate{Identity: a.ana, Enrolled: enrolled, Needed: 1, Expiry: noon.Add(time.Minute)}
	used := 0
	present := func(request Request) Presence {
		consume := func(nonce string) bool {
			used++
			return nonce == request.Nonce.String()
		}
		return Presence{gate, []string{must[string](t)(phone.Prove(a.domain, request, gate.Expiry))}, consume, now}
	}
	rebuild := func(split *Splitting, answers ...Secret) (*SharedSecret, []int, error) {
		request, err := rebuilding.Request(split.Names[0].Split, idsOf(split))
		if err != nil {
			return nil, nil, err
		}
		var shards []Secret
		for i, answer := range answers {
			shards = append(shards, must[Secret](t)(a.vault.ShardFromAnswer(a.ana, split.Names[i], answer)))
		}
		used = 0
		secret, wrong, err := rebuilding.Rebuild(request, shards, present(request))
		if (err == nil) != (used == 1) {
			t.Errorf("the nonce was used %d times", used)
		}
		return secret, wrong, err
	}
	again, wrong, err := rebuild(first, first.Shards[0], Secret("junk"), first.Shards[2])
	if err != nil || !slices.Equal(wrong, []int{2}) {
		t.Fatalf("%v, %v", wrong, err)
	}
	if !bytes.Equal(must[Secret](t)(again.Bytes()), must[Secret](t)(one.Secret.Bytes())) {
		t.Error("another secret")
	}
	var few *Error
	_, _, err = rebuild(first, first.Shards[0], Secret("junk"))
	if !errors.As(err, &few) || !slices.Equal(few.Culprits, []int{2}) {
		t.Errorf("of one shard and junk: %v", err)
	}
	if _, _, err := rebuild(late, late.Shards...); err == nil {
		t.Error("of a splitting that is not in force")
	}
	now = noon.Add(time.Hour)
	if _, _, err := rebuild(first, first.Shards...); !errors.Is(err, Rejected) {
		t.Errorf("an hour later: %v", err)
	}
	now = noon

	// A node goes by the splitting that the operator told it.
	request := must[Request](t)(rebuilding.Request(name, idsOf(first)))
	for _, step := range []struct {
		held     Held
		expected error
	}{
		{Held{Shard: first.Shards[0]}, Call},
		{Held{Shard: first.Shards[0], InForce: name, NoChain: true}, Malformed},
		{Held{Shard: first.Shards[0], InForce: late.Names[0].Split}, Rejected},
		{Held{Shard: late.Shards[0], InForce: late.Names[0].Split}, Rejected},
		{Held{Shard: first.Shards[0], InForce: name}, nil},
	} {
		err := ReleaseShard(a.domain, step.held, request, recipient, present(request))
		if !errors.Is(err, step.expected) {
			t.Errorf("%v, expected %v", err, step.expected)
		}
	}
	// A shard that a node lost is made again.
	repair := must[Request](t)(rebuilding.RequestRepair(name, idsOf(first)[1:], 1))
	made, wrong, err := rebuilding.Repair(repair, first.Shards[1:], first.Names[0], nodes[0], present(repair))
	if err != nil || len(wrong) != 0 || !bytes.Equal(made, first.Shards[0]) {
		t.Errorf("another shard: %v, %v", wrong, err)
	}
	if _, _, err := rebuilding.Repair(request, first.Shards, first.Names[0], nodes[0], present(request)); err == nil {
		t.Error("by a request of another kind")
	}
	// Fresh shards for the same numbers, and what another request asks for is not prepared.
	refresh := must[Request](t)(rebuilding.RequestRefresh(name, idsOf(first), nodes))
	fresh, wrong, err := rebuilding.Resplit(refresh, first.Shards[:2], 2, nodes, present(refresh))
	if err != nil || len(wrong) != 0 || len(fresh.Shards) != 3 || fresh.Names[0].Split == name {
		t.Fatalf("%v, %v", wrong, err)
	}
	if _, _, err := rebuilding.Resplit(refresh, first.Shards, 1, nodes, present(refresh)); err == nil {
		t.Error("with another m than was asked for")
	}
	// The next splitting follows this one, and its shards take the place of these.
	other := must[Request](t)(rebuilding.RequestRethreshold(name, idsOf(first), 2, nodes[:2]))
	two := []Secret{first.Shards[0], first.Shards[2]}
	second, wrong, err := rebuilding.Resplit(other, two, 2, nodes[:2], present(other))
	if err != nil || len(wrong) != 0 || len(second.Shards) != 2 {
		t.Fatalf("%v, %v", wrong, err)
	}
	if err := commit(second, idsOf(second), 0); err != nil {
		t.Fatal(err)
	}
	if inForce, _, err = a.splitInForce(t, record); err != nil {
		t.Fatal(err)
	}
	rebuilding = must[*Rebuilding](t)(a.vault.Rebuilding(record, a.ana, inForce, recipient))
	if _, _, err := rebuild(first, first.Shards...); err == nil {
		t.Error("the old shards rebuild")
	}
	if err := commit(fresh, idsOf(fresh), 0); !errors.Is(err, StaleSplit) {
		t.Errorf("the first that was prepared from the same: %v", err)
	}
	if _, wrong, err := rebuild(second, second.Shards...); err != nil || len(wrong) != 0 {
		t.Errorf("%v, %v", wrong, err)
	}
}
