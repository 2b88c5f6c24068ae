package dualseal

import (
	"crypto/mldsa"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"dualseal.example/dualseal/internal/known"
)

// same compares JSON that the library wrote with the answer, byte by byte.
func same(t *testing.T, found string, expected json.RawMessage) {
	t.Helper()
	if canonical := must[string](t)(known.Canonical(must[any](t)(known.Tree(expected)))); found != canonical {
		t.Errorf("found %s, expected %s", found, canonical)
	}
}

func TestKnownRing(t *testing.T) {
	var all answers
	vectors(t, "known_answers.json", &all)
	answer, entries, changes := all.Ring, all.Ring.Chain, all.Ring.Changes
	if len(entries) != 6 || len(changes) != 4 || len(answer.SeedsHex) != 3 {
		t.Fatal("answers are left out")
	}
	domain, head := must[*Domain](t)(NewDomain(answer.Domain)), must[*Head](t)(NewHead())
	keys, public := make([]*SigningKey, 3), make([]*mldsa.PublicKey, 3)
	for i, seed := range answer.SeedsHex {
		keys[i] = must[*SigningKey](t)(NewSigningKey(unhex(t, seed)))
		public[i] = must[*mldsa.PublicKey](t)(keys[i].PublicKey())
	}
	ringKey := must[*RingKey](t)(NewRingKey(domain, unhex(t, answer.RingKeyHex)))
	ring := must[*Ring](t)(NewRing("log.example/krunica", ringKey))
	who, entry := answer.IdentityID, ""
	for _, one := range entries {
		at := moment(t, one.T)
		switch {
		case one.Poruka == "sealed":
			entry = must[string](t)(head.Append(domain, who, one.Poruka, at))
		case strings.Contains(one.Poruka, "::SIGNED::"):
			signer := &Signer{Domain: domain, Identity: who, Key: keys[0], NoRing: true}
			entry = must[*Signed](t)(signer.Sign(strings.NewReader("ring"), head, at)).Entry
			line, _, err := EntryLine(entry)
			if err := errors.Join(err, ring.Follow(line, NoVaults)); err != nil {
				t.Fatal(err)
			}
		default:
			switch changes[0].Change {
			case "add":
				entry = must[string](t)(ring.Add(who, public[0], head, at))
			case "rotate":
				entry = must[string](t)(ring.Rotate(who, public[1], head, at))
			case "bela":
				entry = must[string](t)(ring.SetCurrentState(who, KeyDecoy, head, at))
			case "revoke":
				first := must[ID](t)(KeyHash(public[0]))
				entry = must[string](t)(ring.RevokeFrom(who, first, changes[0].OpozvanOd, head, at))
			}
			changes = changes[1:]
		}
		isEntry(t, entry, one)
	}
	// The decoy's record is the last entry.
	if err := ring.AddDecoy(public[2], entry); err != nil || len(changes) != 0 {
		t.Fatalf("%v, %d changes are left", err, len(changes))
	}
	same(t, string(must[Secret](t)(ring.Stored(head))), answer.Ring)
	same(t, must[string](t)(ring.Published()), answer.PublicRing)
}

func TestKnownCheckpoints(t *testing.T) {
	var all answers
	vectors(t, "known_answers.json", &all)
	whole := 0
	for _, one := range all.Checkpoints {
		var expected, found map[string]any
		if err := json.Unmarshal(one.Checkpoint, &expected); err != nil {
			t.Fatal(err)
		}
		text := func(name string) string { value, _ := expected[name].(string); return value }
		domain, key := must[*Domain](t)(NewDomain(one.Domain)), must[*SigningKey](t)(NewSigningKey(unhex(t, one.SeedHex)))
		who := must[ID](t)(ParseID(text("identity_id")))
		signed := map[string]any{}
		for _, name := range []string{"origin", "ring", "root", "size", "top"} {
			signed[name] = expected[name]
		}
		mark := Mark(must[[]byte](t)(json.Marshal(signed)))
		signer := &Signer{Domain: domain, Identity: who, Key: key, NoRing: true}
		made := must[string](t)(signer.SignCheckpoint(mark, text("nota"), moment(t, text("time"))))
		pins := Pins{Origin: text("origin"), Identity: who, NoRing: true, LeastSize: uint64(expected["size"].(float64))}
		pins.Key = must[ID](t)(KeyHash(must[*mldsa.PublicKey](t)(key.PublicKey())))
		must[*Checkpoint](t)(pins.Verify(domain, made))
		if text("potpis") != "" {
			whole++
			must[*Checkpoint](t)(pins.Verify(domain, string(one.Checkpoint)))
		}
		if err := json.Unmarshal([]byte(made), &found); err != nil {
			t.Fatal(err)
		}
		// A signature is another one each time.
		for name, value := range expected {
			if name != "potpis" && !reflect.DeepEqual(found[name], value) {
				t.Errorf("%s: %v, expected %v", name, found[name], value)
			}
		}
	}
	if len(all.Checkpoints) != 3 || whole != 1 {
		t.Errorf("%d checkpoints, %d of them whole", len(all.Checkpoints), whole)
	}
}
