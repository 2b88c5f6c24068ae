package dualseal

import (
	"bytes"
	"crypto/mldsa"
	"strings"
	"testing"
)

func TestAFindingSaysWhy(t *testing.T) {
	r := openRegister(t)
	signed := r.signs(t, "deed")
	stranger := must[*SigningKey](t)(GenerateKey())
	forger := &Signer{Domain: r.domain, Identity: r.ana, Key: stranger, NoRing: true}
	forged := must[*Signed](t)(forger.Sign(strings.NewReader("deed"), must[*Head](t)(NewHead()), noon))
	hash := must[ID](t)(KeyHash(must[*mldsa.PublicKey](t)(r.key.PublicKey())))
	verifier := &Verifier{Domain: r.domain, Ring: r.ring}
	expect := func(name string, signer ID, content, record string, verdict error, why Reason) {
		t.Helper()
		found, err := verifier.Explain(signer, strings.NewReader(content), record, nil)
		if err != verdict || found == nil || found.Reason != why || found.AsOf != nil {
			t.Fatalf("%s: %v, %+v", name, err, found)
		}
		said := why != "" && bytes.Contains(found.JSON, []byte(why))
		if said != (why != "") || why != "" && bytes.Contains(found.Public, []byte(why)) {
			t.Errorf("%s: %s, and everybody is told %s", name, found.JSON, found.Public)
		}
	}
	expect("right", r.ana, "deed", signed.Record, nil, "")
	expect("another content", r.ana, "bead", signed.Record, Invalid, WhyContent)
	expect("another signer", r.log.Identity, "deed", signed.Record, Invalid, WhyOtherSigner)
	expect("another key", r.ana, "deed", forged.Record, Invalid, WhyForeignKey)
	if found, err := verifier.Explain(r.ana, strings.NewReader("deed"), "{", nil); found != nil || err == nil {
		t.Errorf("no record: %v, %v", found, err)
	}
	r.keep(t, must[string](t)(r.ring.SetState(r.ana, hash, KeySuspended, r.head, noon)))
	expect("suspended", r.ana, "deed", signed.Record, Suspended, "")
	pinned := must[*Ring](t)(PinnedRing(r.log.Identity, must[*mldsa.PublicKey](t)(stranger.PublicKey())))
	verifier = &Verifier{Domain: r.domain, Ring: pinned}
	expect("nobody known", r.ana, "deed", signed.Record, Invalid, WhyUnknownIdentity)
}

func TestAFindingHasTheDatesOfAProvenPlace(t *testing.T) {
	r := openRegister(t)
	signed := r.signs(t, "deed")
	short := must[*Record](t)(ParseRecord(signed.Record)).KrunicaHash
	checkpoint, _ := r.checkpoint(t)
	var watched Watched
	proofs := r.walk(t, Walk{Under: checkpoint, Own: r.head}, func(reader *Reader) {
		watched = must[Watched](t)(reader.WatchPlaces(short))
	})
	place := must[*Place](t)(proofs.Place(watched, short))
	verifier := &Verifier{Domain: r.domain, Ring: r.ring}
	found, err := verifier.Explain(r.ana, strings.NewReader("deed"), signed.Record, place)
	if err != nil || !bytes.Contains(found.AsOf, []byte(`"revoked_now":`)) {
		t.Errorf("%v, %+v", err, found)
	}
}

func TestAFindingOfASealSaysWhy(t *testing.T) {
	r := openRegister(t)
	payload := []byte("one contract")
	key := must[*SealKey](t)(DeriveSealKey(r.domain, bytes.Repeat([]byte{8}, 32), r.ana))
	other, _, err := GenerateSealKey()
	if err != nil {
		t.Fatal(err)
	}
	seal := must[string](t)((&Signer{Domain: r.domain, Identity: r.ana, Key: r.key, Ring: r.ring}).Seal(payload, key))
	v := &Verifier{Domain: r.domain, Ring: r.ring}
	by := func(signer ID, with *SealKey) func() (*Finding, error) {
		return func() (*Finding, error) { return v.ExplainSeal(signer, payload, seal, with, nil) }
	}
	alone := func(payload string) func() (*Finding, error) {
		return func() (*Finding, error) { return v.ExplainSealSignature(r.ana, []byte(payload), seal, nil) }
	}
	for name, one := range map[string]struct {
		found    func() (*Finding, error)
		expected error
		why      Reason
	}{
		"right":               {by(r.ana, key), nil, ""},
		"another key":         {by(r.ana, other), Invalid, WhyContent},
		"another signer":      {by(r.log.Identity, key), Invalid, WhyUnknownIdentity},
		"by the signature":    {alone("one contract"), nil, ""},
		"of another contract": {alone("two contract"), Invalid, WhySignature},
	} {
		if found, err := one.found(); err != one.expected || found == nil || found.Reason != one.why {
			t.Errorf("%s: %v, %+v", name, err, found)
		}
	}
	if found, err := v.ExplainSeal(r.ana, payload, seal[:len(seal)-1], key, nil); found != nil || err == nil {
		t.Errorf("no seal: %v, %v", found, err)
	}
}
