package dualseal

import (
	"bytes"
	"crypto/sha3"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"dualseal.example/dualseal/internal/known"
)

type streamed struct {
	Streams []struct {
		Domain, Type, Secret, Salt, Stored string
		Identity                           ID     `json:"identity_id"`
		Length                             int    `json:"payload_length"`
		Begins                             string `json:"stored_begin"`
		SHA3                               string `json:"stored_sha3_256"`
	}
	Dealings []struct {
		Domain, Secret string
		Dealing        json.RawMessage
		Shares         []json.RawMessage
	}
	TwoKeys struct {
		Type, Salt, Chunk              string
		Identity                       ID `json:"identity_id"`
		Secrets, Payloads, Commitments []string
	} `json:"two_keys"`
}

// dealtSecrets are rebuilt of two of their shares: a secret comes from nowhere else.
func dealtSecrets(t *testing.T, all streamed) map[string]*SharedSecret {
	t.Helper()
	rebuilt := map[string]*SharedSecret{}
	for _, one := range all.Dealings {
		domain, dealing := must[*Domain](t)(NewDomain(one.Domain)), string(one.Dealing)
		secret, bad, err := Reconstruct(domain, dealing, secrets(one.Shares[1:]))
		if err != nil || len(bad) != 0 || hex.EncodeToString(must[Secret](t)(secret.Bytes())) != one.Secret {
			t.Fatal(err, bad)
		}
		rebuilt[one.Secret] = secret
		// Each field's dealings are renewed, repaired and looked at, too.
		again, _, err := Repair(domain, dealing, secrets(one.Shares[1:]), 1)
		if err != nil || !bytes.Equal(compact(t, again), compact(t, one.Shares[0])) {
			t.Errorf("another share: %v", err)
		}
		if health, err := CheckShares(domain, dealing, secrets(one.Shares)); err != nil || len(health.Present) != 3 {
			t.Errorf("%+v, %v", health, err)
		}
		renewed := must[*Renewed](t)(Renew(domain, dealing, secrets(one.Shares[:2]), 0, 0))
		secret, _, err = Reconstruct(domain, renewed.Dealing, renewed.Shares)
		if err != nil || hex.EncodeToString(must[Secret](t)(secret.Bytes())) != one.Secret {
			t.Errorf("renewed: %v", err)
		}
	}
	return rebuilt
}

func compact(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Streams that Go computes by itself are those of the answers, and the library opens them with secrets that it rebuilt.
func TestKnownStreams(t *testing.T) {
	var all streamed
	vectors(t, "stream.json", &all)
	rebuilt, whole := dealtSecrets(t, all), 0
	for _, one := range all.Streams {
		domain := must[*Domain](t)(NewDomain(one.Domain))
		plain := sha3.SumSHAKE256(fmt.Appendf(nil, "payload %d", one.Length), one.Length)
		stored := must[[]byte](t)(known.Stream(one.Domain, one.Identity.String(), one.Type, unhex(t, one.Secret),
			unhex(t, one.Salt), plain))
		if hash := sha3.Sum256(stored); hex.EncodeToString(hash[:]) != one.SHA3 {
			t.Fatalf("other bytes: %.64x", stored)
		}
		text := hex.EncodeToString(stored)
		if !strings.HasPrefix(text, one.Begins) || !strings.HasPrefix(text, one.Stored) {
			t.Errorf("%d bytes begin with %.200s", len(stored), text)
		}
		if text == one.Stored {
			whole++
		}
		var opened bytes.Buffer
		secret := rebuilt[one.Secret]
		err := secret.Decrypt(domain, one.Identity, one.Type, &opened, bytes.NewReader(stored))
		if err != nil || !bytes.Equal(opened.Bytes(), plain) {
			t.Errorf("%d bytes: %v", one.Length, err)
		}
		cut := bytes.NewReader(stored[:len(stored)-1])
		if err := secret.Decrypt(domain, one.Identity, one.Type, &opened, cut); !errors.Is(err, StreamChunk) {
			t.Errorf("cut short: %v", err)
		}
		other := bytes.NewReader(stored)
		if err := secret.Decrypt(domain, one.Identity, "OTHER", &opened, other); !errors.Is(err, StreamKey) {
			t.Errorf("for another use: %v", err)
		}
	}
	if len(all.Streams) != 16 || len(rebuilt) != 4 || whole != 1 {
		t.Errorf("%d streams, %d secrets, %d whole", len(all.Streams), len(rebuilt), whole)
	}
}

// A chunk whose tag holds under two keys opens under the one that the stream commits to.
func TestAKnownChunkOfTwoKeys(t *testing.T) {
	var all streamed
	vectors(t, "stream.json", &all)
	rebuilt, attack, domain := dealtSecrets(t, all), all.TwoKeys, must[*Domain](t)(NewDomain("DUALSEAL"))
	for place, commitment := range attack.Commitments {
		stored := append([]byte("DSV1"), unhex(t, attack.Salt+commitment+attack.Chunk)...)
		for reader, name := range attack.Secrets {
			var opened bytes.Buffer
			err := rebuilt[name].Decrypt(domain, attack.Identity, attack.Type, &opened, bytes.NewReader(stored))
			switch {
			case reader != place && errors.Is(err, StreamKey) && opened.Len() == 0:
			case reader == place && err == nil && hex.EncodeToString(opened.Bytes()) == attack.Payloads[place]:
			default:
				t.Errorf("%d by %d: %x, %v", place, reader, opened.Bytes(), err)
			}
		}
	}
	if len(attack.Commitments) != 2 || len(attack.Secrets) != 2 {
		t.Error("answers are left out")
	}
}
