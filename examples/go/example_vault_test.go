package dualseal_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"dualseal.example/dualseal"
)

// An archive is a log with a vault, whose records stand in one ledger.
type archive struct {
	*logbook
	ana     dualseal.ID
	vault   *dualseal.Vault
	ledger  *dualseal.Ledger
	records []*dualseal.Sealed
	stored  [][]byte
}

func newArchive() *archive {
	a := &archive{logbook: newLogbook(), ledger: must(dualseal.GenerateLedger())}
	a.ana = must(a.domain.IdentityID(nil, "ana@acme.example", "9f0c2d"))
	key := must(dualseal.GenerateKey())
	a.keep(must(a.ring.Add(a.ana, must(key.PublicKey()), a.head, time.Now())))
	master := must(dualseal.GenerateMaster(a.domain))
	defer master.Wipe() // once it is where keys are kept
	a.vault = must(dualseal.NewVault(&dualseal.Signer{Domain: a.domain, Identity: a.ana, Key: key, Ring: a.ring}, master))
	return a
}

// seal stores what was sealed, and the record's decoy in the ring.
func (a *archive) seal(document string) {
	var stored bytes.Buffer
	sealed := must(a.vault.Seal("DEED", &stored, strings.NewReader(document), a.ledger, a.head, time.Now()))
	if err := a.ring.AddDecoy(sealed.Decoy, sealed.Entry); err != nil {
		panic(err)
	}
	a.keep(sealed.Entry)
	a.records, a.stored = append(a.records, sealed), append(a.stored, stored.Bytes())
}

func (a *archive) hash(i int) *dualseal.StoredHash {
	return must(dualseal.HashStored(a.domain, bytes.NewReader(a.stored[i])))
}

// places is where the records stand in the chain.
func (a *archive) places() *dualseal.LedgerPlaces {
	checkpoint, _ := a.checkpoint()
	proofs, watched := a.walk(a.under(checkpoint), func(r *dualseal.Reader) (dualseal.Watched, error) {
		return r.WatchLedger(must(a.ledger.Parts()).Ledger, a.vault)
	})
	return must(proofs.Ledger(watched))
}

// A document is sealed into a vault. Everybody verifies its redacted record; the operator unseals it.
func ExampleVault() {
	a := newArchive()
	a.seal("the deed of house 7")
	record, verifier := a.records[0], &dualseal.Verifier{Domain: a.domain, Ring: a.ring}

	everybody := must(dualseal.PublicPolicy(dualseal.TierPublic))
	_, err := verifier.VerifyVault(everybody, []byte(record.Redacted), a.hash(0), a.ana, nil, nil)
	fmt.Println("verified:", err)

	operator, place := must(a.vault.Policy(dualseal.TierPublic)), must(a.places().Place(record.Stored))
	report := must(verifier.VerifyVault(operator, record.Stored, a.hash(0), a.ana, place, nil))
	var document bytes.Buffer
	err = report.Unseal(record.Secret, &document, bytes.NewReader(a.stored[0]))
	fmt.Println(document.String(), err)
	// Output:
	// verified: <nil>
	// the deed of house 7 <nil>
}

// A record that was erased stays in its ledger, and another says so, which everybody can hold against it.
func ExampleVault_EraseWithoutChain() {
	a := newArchive()
	a.seal("the deed of house 7")
	record, verifier := a.records[0], &dualseal.Verifier{Domain: a.domain, Ring: a.ring}
	operator, place := must(a.vault.Policy(dualseal.TierPublic)), must(a.places().Place(record.Stored))
	report := must(verifier.VerifyVault(operator, record.Stored, a.hash(0), a.ana, place, nil))

	// Its secret was never split. It is destroyed now, and with it whatever reads the stored bytes.
	erased := must(a.vault.EraseWithoutChain(report, nil, a.ledger, a.head, time.Now()))
	if err := a.ring.AddDecoy(erased.Decoy, erased.Entry); err != nil {
		panic(err)
	}
	a.keep(erased.Entry)
	record.Secret.Close()

	everybody, place := must(dualseal.PublicPolicy(dualseal.TierPublic)), must(a.places().Place(erased.Stored))
	hash := must(dualseal.HashStored(a.domain, bytes.NewReader(erased.Bytes)))
	report = must(verifier.VerifyVault(everybody, []byte(erased.Redacted), hash, a.ana, place, nil))
	fmt.Println("of house 7:", must(report.Covers(place, erased.Bytes, []byte(record.Redacted))))
	// Output:
	// of house 7: true
}

// The records of a ledger are checked to its end: one that is missing is told, the last one by the chain.
func ExampleVerifier_CheckLedger() {
	a := newArchive()
	for _, document := range []string{"house 7", "house 8", "house 9"} {
		a.seal(document)
	}
	places, verifier := a.places(), &dualseal.Verifier{Domain: a.domain, Ring: a.ring}
	operator := must(a.vault.Policy(dualseal.TierPublic))
	check := func(records ...int) (*dualseal.LedgerSummary, error) {
		running := must(verifier.CheckLedger(operator, must(a.ledger.Parts()).Ledger, places))
		defer running.Close()
		for _, i := range records {
			if err := running.Push(a.records[i].Stored, a.hash(i)); err != nil {
				return nil, err
			}
		}
		return running.Finish()
	}
	fmt.Println("valid:", must(check(0, 1, 2)).Valid)
	_, err := check(0, 2)
	fmt.Println("one is missing:", errors.Is(err, dualseal.Rejected))
	_, err = check(0, 1)
	fmt.Println("the last is missing:", errors.Is(err, dualseal.LedgerTruncated))
	// Output:
	// valid: 3
	// one is missing: true
	// the last is missing: true
}

// A node lets its shard of a record's secret go to whoever it knows, when somebody proves that he is there.
func ExampleReleaseShard() {
	a := newArchive()
	a.seal("the deed of house 7")
	nodes := []string{"https://a.example", "https://b.example", "https://c.example"}
	split := must(a.vault.Split(a.records[0], dualseal.ID{}, 2, nodes))
	record, name := split.Names[0].Vault, split.Names[0].Split
	recipient := []byte("the public key of the service that rebuilds")
	rebuilding := must(a.vault.RebuildingWithoutChain(record, a.ana, recipient))
	request := must(rebuilding.Request(name, []dualseal.ID{split.Names[0].Shard, split.Names[1].Shard}))

	// Ana's phone answers the request.
	phone, now := must(dualseal.GeneratePresenceKey()), time.Now()
	expiry := now.Add(time.Minute)
	proof := must(phone.Prove(a.domain, request, expiry))

	gate := dualseal.Gate{Identity: a.ana, Enrolled: []string{must(phone.PublicKey())}, Needed: 1, Expiry: expiry}
	used := map[string]bool{} // a table of a database, where this is one step
	unused := func(nonce string) bool {
		fresh := !used[nonce]
		used[nonce] = true
		return fresh
	}
	release := func(proofs ...string) error {
		held := dualseal.Held{Shard: split.Shards[0], NoChain: true}
		by := dualseal.Presence{Gate: gate, Proofs: proofs, Consume: unused, Now: now}
		return dualseal.ReleaseShard(a.domain, held, request, recipient, by)
	}
	fmt.Println("without a proof:", errors.Is(release(), dualseal.Rejected))
	fmt.Println("with it:", release(proof))
	fmt.Println("again:", errors.Is(release(proof), dualseal.NonceUsed))
	// Output:
	// without a proof: true
	// with it: <nil>
	// again: true
}

// The secret of a record is rebuilt from two of its three shards, whatever else a node answers.
func ExampleRebuilding() {
	a := newArchive()
	a.seal("the deed of house 7")
	nodes := []string{"https://a.example", "https://b.example", "https://c.example"}
	split := must(a.vault.Split(a.records[0], dualseal.ID{}, 2, nodes))
	record, name := split.Names[0].Vault, split.Names[0].Split
	held := []dualseal.ID{split.Names[0].Shard, split.Names[1].Shard, split.Names[2].Shard}

	// Every node said that it holds its shard: the splitting comes into force, by an entry of the log.
	proofs, watched := a.walk(a.alone(), func(r *dualseal.Reader) (dualseal.Watched, error) {
		return r.WatchOwnSplits(a.vault, record, a.ana)
	})
	a.follow(must(split.Commit(held, 0, proofs, watched, a.head, time.Now())))
	checkpoint, _ := a.checkpoint()
	proofs, watched = a.walk(a.under(checkpoint), func(r *dualseal.Reader) (dualseal.Watched, error) {
		return r.WatchSplits(a.vault, record, a.ana)
	})
	inForce, _, err := proofs.Splits(watched)
	if err != nil {
		panic(err)
	}

	// The nodes let their shards go, as ReleaseShard shows, and one of them answers with anything at all.
	rebuilding := must(a.vault.Rebuilding(record, a.ana, inForce, []byte("this service's public key")))
	request := must(rebuilding.Request(name, held))
	answers := []dualseal.Secret{split.Shards[0], dualseal.Secret("junk"), split.Shards[2]}
	for i, answer := range answers {
		answers[i] = must(a.vault.ShardFromAnswer(a.ana, split.Names[i], answer))
	}
	phone, now := must(dualseal.GeneratePresenceKey()), time.Now()
	expiry := now.Add(time.Minute)
	proof := must(phone.Prove(a.domain, request, expiry))
	gate := dualseal.Gate{Identity: a.ana, Enrolled: []string{must(phone.PublicKey())}, Needed: 1, Expiry: expiry}
	unused := func(string) bool { return true } // a table of a database, as a node's is
	by := dualseal.Presence{Gate: gate, Proofs: []string{proof}, Consume: unused, Now: now}
	secret, bad, err := rebuilding.Rebuild(request, answers, by)
	if err != nil {
		panic(err)
	}
	fmt.Println("rebuilt:", bytes.Equal(must(secret.Bytes()), must(a.records[0].Secret.Bytes())))
	fmt.Println("bad shards:", bad)
	// Output:
	// rebuilt: true
	// bad shards: [2]
}
