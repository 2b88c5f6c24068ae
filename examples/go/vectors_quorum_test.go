package dualseal

import (
	"bytes"
	"crypto/mldsa"
	"encoding/hex"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"dualseal.example/dualseal/internal/known"
)

type quorums struct {
	Sessions []struct {
		Domain, Founder string
		MessageHex      string `json:"message_hex"`
		Deals           []struct {
			K       uint8
			Session json.RawMessage
			Shares  []json.RawMessage
		}
		Signings []struct{ Result json.RawMessage }
		Chain    []known.Entry
	}
	Vaults []splitVault
	Proofs []struct {
		Domain  string
		SeedHex string `json:"seed_hex"`
		Proof   json.RawMessage
	}
}

type splitVault struct {
	Domain       string
	Identity     ID     `json:"identity_id"`
	Vault        ID     `json:"vault_id"`
	MasterHex    string `json:"master_hex"`
	RecipientHex string `json:"recipient_key_hex"`
	SecretHex    string `json:"secret_hex"`
	Splits       []struct {
		M      uint8
		Shards []json.RawMessage
	}
	Chain []known.Entry
}

func secrets(of []json.RawMessage) (made []Secret) {
	for _, one := range of {
		made = append(made, Secret(one))
	}
	return made
}

// A knownChain is one of the answers, with the short handles of its entries, where it ends, and a checkpoint over all
// of it by a log that is made for it.
type knownChain struct {
	lines      []string
	handles    []ID
	head       *Head
	checkpoint *Checkpoint
}

func chainOf(t *testing.T, domain *Domain, origin string, entries []known.Entry) (made knownChain) {
	t.Helper()
	for seq, one := range entries {
		text := must[[]byte](t)(json.Marshal(struct {
			Seq int `json:"seq"`
			known.Entry
		}{seq, one}))
		line, handle, err := EntryLine(string(text))
		if err != nil {
			t.Fatal(err)
		}
		made.lines, made.handles = append(made.lines, line), append(made.handles, handle)
	}
	made.head = walked(t, domain, Walk{NoCheckpoint: true}, made.lines, func(*Reader) {}).Head
	key := must[*SigningKey](t)(NewSigningKey(bytes.Repeat([]byte{5}, 32)))
	log := &Signer{Domain: domain, Identity: must[ID](t)(domain.IdentityID(nil, "log", "")), Key: key, NoRing: true}
	mark := must[Mark](t)(FirstMarkWithoutRing(origin, made.head))
	text := must[string](t)(log.SignCheckpoint(mark, "", noon))
	pins := Pins{Origin: origin, Identity: log.Identity, NoRing: true}
	pins.Key = must[ID](t)(KeyHash(must[*mldsa.PublicKey](t)(key.PublicKey())))
	made.checkpoint = must[*Checkpoint](t)(pins.Verify(domain, text))
	return made
}

func walked(t *testing.T, domain *Domain, walk Walk, lines []string, watch func(*Reader)) *Proofs {
	t.Helper()
	reader := must[*Reader](t)(NewReader(domain, walk))
	watch(reader)
	for _, line := range lines {
		if err := reader.Push(line); err != nil {
			t.Fatal(err)
		}
	}
	return must[*Proofs](t)(reader.Finish())
}

// Sessions that another implementation founded, continued and signed with: in force by their chains, and their results
// verified by the key, or confirmed by the shares.
func TestKnownSessions(t *testing.T) {
	var all quorums
	vectors(t, "known_answers_quorum.json", &all)
	verified, confirmed := 0, 0
	for _, one := range all.Sessions {
		domain, message := must[*Domain](t)(NewDomain(one.Domain)), unhex(t, one.MessageHex)
		var founded struct {
			Session  ID     `json:"session_id"`
			Identity ID     `json:"identity_id"`
			Key      string `json:"javni_kljuc"`
		}
		if err := json.Unmarshal(one.Deals[0].Session, &founded); err != nil {
			t.Fatal(err)
		}
		var ring *Ring
		if founded.Key != "" {
			key := must[*mldsa.PublicKey](t)(mldsa.NewPublicKey(mldsa.MLDSA65(), unhex(t, founded.Key)))
			ring = must[*Ring](t)(PinnedRing(founded.Identity, key))
		}
		// What the second generation signed is its own, and what the first one signed stays good.
		for last := 1; last <= len(one.Deals); last++ {
			entries, records := one.Chain[:1+2*last], []string{}
			for _, deal := range one.Deals[:last] {
				records = append(records, string(deal.Session))
			}
			chain := chainOf(t, domain, origin, entries)
			var watched Watched
			proofs := walked(t, domain, Walk{Under: chain.checkpoint}, chain.lines, func(r *Reader) {
				watched = must[Watched](t)(r.WatchSession(founded.Session, chain.handles[1]))
			})
			session := must[*Session](t)(proofs.Session(watched, records, ring))
			shares, k := secrets(one.Deals[last-1].Shares), int(one.Deals[last-1].K)
			if enough, needed, err := session.Reached(shares[:k]); !enough || needed != k || err != nil {
				t.Errorf("%d: %v, %d, %v", last, enough, needed, err)
			}
			result := string(one.Signings[last-1].Result)
			if ring == nil {
				if err := session.Confirm(message, result, shares); err != nil {
					t.Errorf("%d: %v", last, err)
				}
				if err := session.Confirm(append(message, '.'), result, shares); err == nil {
					t.Error("another message was confirmed")
				}
				confirmed++
				continue
			}
			for _, signing := range one.Signings[:last] {
				if err := session.Verify(ring, message, string(signing.Result), nil); err != nil {
					t.Errorf("%d: %v", last, err)
				}
				if err := session.Verify(ring, append(message, '.'), string(signing.Result), nil); err != Invalid {
					t.Errorf("another message: %v", err)
				}
				verified++
			}
		}
	}
	if verified != 6 || confirmed != 4 {
		t.Errorf("%d verified, %d confirmed", verified, confirmed)
	}
}

// Shards that another implementation made rebuild its secret here, of the splitting that its chain has in force alone.
func TestKnownShards(t *testing.T) {
	var all quorums
	vectors(t, "known_answers_quorum.json", &all)
	rebuilt := 0
	for _, one := range all.Vaults {
		domain := must[*Domain](t)(NewDomain(one.Domain))
		signer := &Signer{Domain: domain, Identity: one.Identity, Key: must[*SigningKey](t)(GenerateKey()), NoRing: true}
		vault := must[*Vault](t)(NewVault(signer, unhex(t, one.MasterHex)))
		recipient := unhex(t, one.RecipientHex)
		for last := 1; last <= len(one.Splits); last++ {
			chain := chainOf(t, domain, origin, one.Chain[:last])
			var watched Watched
			proofs := walked(t, domain, Walk{Under: chain.checkpoint}, chain.lines, func(r *Reader) {
				watched = must[Watched](t)(r.WatchSplits(vault, one.Vault, one.Identity))
			})
			inForce, _, err := proofs.Splits(watched)
			if err != nil {
				t.Fatal(err)
			}
			rebuilding := must[*Rebuilding](t)(vault.Rebuilding(one.Vault, one.Identity, inForce, recipient))
			for number, split := range one.Splits[:last] {
				m := int(split.M)
				names := make([]ShardName, m)
				for i := range names {
					if err := json.Unmarshal(split.Shards[i], &names[i]); err != nil {
						t.Fatal(err)
					}
				}
				secret, err := rebuiltFrom(t, domain, rebuilding, one.Identity, names, secrets(split.Shards[:m]))
				if number+1 < last {
					if !errors.Is(err, Rejected) {
						t.Errorf("by a splitting that was superseded: %v", err)
					}
					continue
				}
				if err != nil || hex.EncodeToString(secret) != one.SecretHex {
					t.Errorf("splitting %d: %x, %v", number, secret, err)
				}
				rebuilt++
			}
		}
	}
	if rebuilt != 4 {
		t.Errorf("%d secrets were rebuilt", rebuilt)
	}
}

func rebuiltFrom(
	t *testing.T, domain *Domain, rebuilding *Rebuilding, identity ID, names []ShardName, shards []Secret,
) (Secret, error) {
	t.Helper()
	var asked []ID
	for _, name := range names {
		asked = append(asked, name.Shard)
	}
	request, err := rebuilding.Request(names[0].Split, asked)
	if err != nil {
		return nil, err
	}
	phone := must[*PresenceKey](t)(GeneratePresenceKey())
	enrolled := []string{must[string](t)(phone.PublicKey())}
	gate := Gate{Identity: identity, Enrolled: enrolled, Needed: 1, Expiry: noon.Add(time.Minute)}
	proofs := []string{must[string](t)(phone.Prove(domain, request, gate.Expiry))}
	by := Presence{gate, proofs, func(string) bool { return true }, noon}
	secret, _, err := rebuilding.Rebuild(request, shards, by)
	if err != nil {
		return nil, err
	}
	return secret.Bytes()
}

// Proofs of presence, which are deterministic, are those that another implementation made of the same requests.
func TestKnownProofsOfPresence(t *testing.T) {
	var all quorums
	vectors(t, "known_answers_quorum.json", &all)
	for i, one := range all.Proofs {
		var expected, found map[string]any
		if err := json.Unmarshal(one.Proof, &expected); err != nil {
			t.Fatal(err)
		}
		text := func(name string) string { return expected[name].(string) }
		asked := map[string]any{}
		for _, name := range []string{"op", "vault_id", "split_id", "shard_ids", "args", "primatelj", "identity_id"} {
			asked[name] = expected[name]
		}
		request := Request{string(must[[]byte](t)(json.Marshal(asked))), must[ID](t)(ParseID(text("nonce")))}
		key := must[*PresenceKey](t)(NewPresenceKey(unhex(t, one.SeedHex)))
		domain := must[*Domain](t)(NewDomain(one.Domain))
		made := must[string](t)(key.Prove(domain, request, moment(t, text("expiry"))))
		if err := json.Unmarshal([]byte(made), &found); err != nil || !reflect.DeepEqual(found, expected) {
			t.Errorf("proof %d: %s (%v)", i, made, err)
		}
	}
	if len(all.Proofs) != 8 {
		t.Errorf("%d proofs", len(all.Proofs))
	}
}
