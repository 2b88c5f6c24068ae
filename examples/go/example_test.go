package dualseal_test

import (
	"bytes"
	"crypto/mldsa"
	"errors"
	"fmt"
	"strings"
	"time"

	"dualseal.example/dualseal"
)

// must ends an example where a program would handle the error.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// A document is signed, and verified by the key that its owner handed over.
func Example() {
	domain := must(dualseal.NewDomain("ACME"))
	ana := must(domain.IdentityID(nil, "ana@acme.example", "9f0c2d"))
	key := must(dualseal.GenerateKey())
	defer key.Close()

	// Record, entry and head are stored together, or none of them. A program that keeps a ring gives it to the signer.
	signer := &dualseal.Signer{Domain: domain, Identity: ana, Key: key, NoRing: true}
	head := must(dualseal.NewHead())
	signed := must(signer.Sign(strings.NewReader("one contract"), head, time.Now()))

	verifier := &dualseal.Verifier{Domain: domain, Ring: must(dualseal.PinnedRing(ana, must(key.PublicKey())))}
	err := verifier.Verify(ana, strings.NewReader("one contract"), signed.Record)
	fmt.Println("one contract:", err == nil)
	err = verifier.Verify(ana, strings.NewReader("another contract"), signed.Record)
	fmt.Println("another contract:", errors.Is(err, dualseal.Invalid))
	// Output:
	// one contract: true
	// another contract: true
}

// Many records are verified on all processors at once, each with its own verdict.
func ExampleVerifier_VerifyMany() {
	domain := must(dualseal.NewDomain("ACME"))
	ana := must(domain.IdentityID(nil, "ana@acme.example", "9f0c2d"))
	key, head := must(dualseal.GenerateKey()), must(dualseal.NewHead())
	signer := &dualseal.Signer{Domain: domain, Identity: ana, Key: key, NoRing: true}
	var items []dualseal.Item
	for _, content := range []string{"invoice 1", "invoice 2", "invoice 3"} {
		hash := must(domain.HashContent(ana, strings.NewReader(content)))
		signed := must(signer.SignHash(hash, head, time.Now()))
		items = append(items, dualseal.Item{Signer: ana, Hash: hash, Record: signed.Record})
	}
	// Somebody altered the second.
	items[1].Hash = must(domain.HashContent(ana, strings.NewReader("invoice 20")))

	verifier := &dualseal.Verifier{Domain: domain, Ring: must(dualseal.PinnedRing(ana, must(key.PublicKey())))}
	for i, verdict := range must(verifier.VerifyMany(items, 0)) {
		fmt.Println("invoice", i+1, verdict)
	}
	// Output:
	// invoice 1 <nil>
	// invoice 2 dualseal: invalid
	// invoice 3 <nil>
}

// Go's own keys sign, too, and what they sign is verified by either.
func ExampleFromMLDSA() {
	domain := must(dualseal.NewDomain("ACME"))
	ana := must(domain.IdentityID(nil, "ana@acme.example", "9f0c2d"))
	private := must(mldsa.GenerateKey(mldsa.MLDSA65()))
	key := must(dualseal.FromMLDSA(private))
	signer := &dualseal.Signer{Domain: domain, Identity: ana, Key: key, NoRing: true}
	signed := must(signer.Sign(strings.NewReader("one contract"), must(dualseal.NewHead()), time.Now()))

	record := must(dualseal.ParseRecord(signed.Record))
	fmt.Println("by her key:", record.PublicKey.Equal(private.PublicKey()))
	fmt.Println("by her:", record.Identity == ana)
	// Output:
	// by her key: true
	// by her: true
}

// A seal needs no chain: an HMAC for those who have the identity's seal key, and a signature over it for everybody.
func ExampleSigner_Seal() {
	domain := must(dualseal.NewDomain("ACME"))
	ana := must(domain.IdentityID(nil, "ana@acme.example", "9f0c2d"))
	key := must(dualseal.GenerateKey())
	sealKey, stored, err := dualseal.GenerateSealKey()
	if err != nil {
		panic(err)
	}
	stored.Wipe() // once it is where keys are kept

	payload := []byte("one contract")
	seal := must((&dualseal.Signer{Domain: domain, Identity: ana, Key: key, NoRing: true}).Seal(payload, sealKey))

	verifier := &dualseal.Verifier{Domain: domain, Ring: must(dualseal.PinnedRing(ana, must(key.PublicKey())))}
	fmt.Println("both layers:", verifier.VerifySeal(ana, payload, seal, sealKey, nil))
	fmt.Println("the signature:", verifier.VerifySealSignature(ana, payload, seal, nil))
	fmt.Println("another payload:", verifier.VerifySeal(ana, []byte("another"), seal, sealKey, nil))
	// Output:
	// both layers: <nil>
	// the signature: <nil>
	// another payload: dualseal: invalid
}

// Three of five holders give a secret back, and whoever sends a bad share is named.
func ExampleSharedSecret_Deal() {
	domain := must(dualseal.NewDomain("ACME"))
	secret := must(dualseal.GenerateSecret())
	// The dealing is published; each share goes to its holder.
	dealing, shares, err := secret.Deal(domain, 3, 5)
	if err != nil {
		panic(err)
	}
	shares[1] = dualseal.Share(`[2,"` + strings.Repeat("0", 64) + `"]`)

	again, bad, err := dualseal.Reconstruct(domain, dealing, shares[:4])
	if err != nil {
		panic(err)
	}
	fmt.Println("the same:", bytes.Equal(must(again.Bytes()), must(secret.Bytes())))
	fmt.Println("bad shares:", bad)

	var told *dualseal.Error
	_, _, err = dualseal.Reconstruct(domain, dealing, shares[:3])
	fmt.Println("too few:", errors.Is(err, dualseal.TooFewShares), errors.As(err, &told) && told.Culprits[0] == 2)
	// Output:
	// the same: true
	// bad shares: [2]
	// too few: true true
}

// What is of any size is encrypted as a stream, and is worth nothing until Decrypt returned nil.
func ExampleSharedSecret_Encrypt() {
	domain := must(dualseal.NewDomain("ACME"))
	ana := must(domain.IdentityID(nil, "ana@acme.example", "9f0c2d"))
	secret := must(dualseal.GenerateSecret())

	var stored, plain bytes.Buffer
	if err := secret.Encrypt(domain, ana, "SCAN", &stored, strings.NewReader("a scanned deed")); err != nil {
		panic(err)
	}
	whole := stored.Bytes()
	err := secret.Decrypt(domain, ana, "SCAN", &plain, bytes.NewReader(whole))
	fmt.Println(plain.String(), err)
	err = secret.Decrypt(domain, ana, "SCAN", &plain, bytes.NewReader(whole[:len(whole)-1]))
	fmt.Println("a stream that was cut:", errors.Is(err, dualseal.StreamChunk))
	// Output:
	// a scanned deed <nil>
	// a stream that was cut: true
}

// What a secret is printed as, whatever prints it.
func ExampleSecret() {
	key := must(dualseal.GenerateKey())
	seed := must(key.Seed())
	defer seed.Wipe()
	fmt.Printf("%v, %x, %+v\n", seed, seed, key)
	// Output:
	// dualseal: a secret, dualseal: a secret, dualseal: a secret
}
