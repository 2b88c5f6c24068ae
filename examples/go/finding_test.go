package dualseal

import (
	"bytes"
	"crypto/mldsa"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
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

// Everybody else is told of a decoy what he is told of a valid key, and of a key that was called back no reason.
func TestWhatEverybodyIsToldUnmasksNoDecoy(t *testing.T) {
	r := openRegister(t)
	signed := r.signs(t, "deed")
	hash := must[ID](t)(KeyHash(must[*mldsa.PublicKey](t)(r.key.PublicKey())))
	content := must[ID](t)(r.domain.HashContent(r.ana, strings.NewReader("deed")))
	verifier := &Verifier{Domain: r.domain, Ring: r.ring}
	valid := must[*Finding](t)(verifier.ExplainHash(r.ana, content, signed.Record, nil))
	told := string(valid.Public)
	if !strings.Contains(told, `"validan":true`) || told != string(valid.JSON) {
		t.Fatalf("of a valid key everybody is told %s, and the operator %s", told, valid.JSON)
	}
	for _, of := range []struct {
		state            KeyState
		verdict          error
		internal, public string
	}{
		{
			KeyDecoy, Decoy,
			`"validan":false,"bela_stanje":"oboje","razlog":"decoy"`,
			`"validan":true,"bela_stanje":"istina","razlog":null`,
		},
		{
			KeyRevoked, Revoked,
			`"validan":false,"bela_stanje":"laz","razlog":"revoked"`,
			`"validan":false,"bela_stanje":"laz","razlog":"rejected"`,
		},
	} {
		r.keep(t, must[string](t)(r.ring.SetState(r.ana, hash, of.state, r.head, noon)))
		found, err := verifier.ExplainHash(r.ana, content, signed.Record, nil)
		if err != of.verdict || found == nil || found.Reason != "" {
			t.Fatalf("%v: %v, %+v", of.verdict, err, found)
		}
		if !holds(t, found.JSON, of.internal) || !holds(t, found.Public, of.public) {
			t.Errorf("%v: the operator is told %s, and everybody %s", of.verdict, found.JSON, found.Public)
		}
		if same := string(found.Public) == told; same != (of.state == KeyDecoy) {
			t.Errorf("%v: everybody is told %s, and of a valid key %s", of.verdict, found.Public, told)
		}
	}
}

// holds is whether an object has these members.
func holds(t *testing.T, object []byte, members string) bool {
	t.Helper()
	var all, some map[string]any
	if err := errors.Join(json.Unmarshal(object, &all), json.Unmarshal([]byte("{"+members+"}"), &some)); err != nil {
		t.Fatal(err)
	}
	for name, expected := range some {
		if value, is := all[name]; !is || value != expected {
			return false
		}
	}
	return true
}

func TestManyFindingsAreThoseOfOneByOne(t *testing.T) {
	r := openRegister(t)
	signed := r.signs(t, "deed")
	of := func(content string) ID { return must[ID](t)(r.domain.HashContent(r.ana, strings.NewReader(content))) }
	hash := must[ID](t)(KeyHash(must[*mldsa.PublicKey](t)(r.key.PublicKey())))
	verifier := &Verifier{Domain: r.domain, Ring: r.ring}
	items := []Item{
		{r.ana, of("deed"), signed.Record, nil},
		{r.ana, of("bead"), signed.Record, nil},
		{r.ana, of("deed"), "{", nil},
		{r.log.Identity, of("deed"), signed.Record, nil},
	}
	reasons := []Reason{"", WhyContent, "", WhyOtherSigner}
	for _, state := range []KeyState{KeyValid, KeyDecoy} {
		if state != KeyValid {
			r.keep(t, must[string](t)(r.ring.SetState(r.ana, hash, state, r.head, noon)))
		}
		findings, verdicts, err := verifier.ExplainMany(items, 2)
		if err != nil || len(findings) != len(items) || len(verdicts) != len(items) {
			t.Fatal(findings, verdicts, err)
		}
		for i, item := range items {
			alone, verdict := verifier.ExplainHash(item.Signer, item.Hash, item.Record, nil)
			if fmt.Sprint(verdicts[i]) != fmt.Sprint(verdict) {
				t.Errorf("%d: %v, and alone %v", i, verdicts[i], verdict)
			}
			if !reflect.DeepEqual(findings[i], alone) || alone != nil && alone.Reason != reasons[i] {
				t.Errorf("%d: %+v, and alone %+v", i, findings[i], alone)
			}
		}
		if findings[2] != nil || findings[0] == nil {
			t.Errorf("%+v, %+v", findings[0], findings[2])
		}
	}
	findings, verdicts, err := verifier.ExplainMany(items, 2000)
	if err == nil || findings[0] != nil || verdicts[0] != err {
		t.Errorf("%v, %v, %v", findings, verdicts, err)
	}
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
