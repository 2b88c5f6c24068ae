package dualseal

import (
	"bytes"
	"crypto/mldsa"
	"crypto/sha3"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"dualseal.example/dualseal/internal/known"
)

type answers struct {
	Identifiers []struct {
		Domain, Creator, Context string
		ContentHex               string `json:"content_hex"`
		IdentityID               ID     `json:"identity_id"`
	}
	ContentHashes []struct {
		Domain      string
		IdentityID  ID     `json:"identity_id"`
		ContentHex  string `json:"content_hex"`
		SadrzajHash ID     `json:"sadrzaj_hash"`
	} `json:"content_hashes"`
	Chain struct {
		Entries       []known.Entry
		Roots         []ID
		KrunicaHashes []ID `json:"krunica_hashes"`
	}
	Checkpoints []struct {
		Domain     string
		SeedHex    string `json:"seed_hex"`
		Checkpoint json.RawMessage
	}
	Ring struct {
		Domain     string
		RingKeyHex string   `json:"ring_key_hex"`
		IdentityID ID       `json:"identity_id"`
		SeedsHex   []string `json:"seeds_hex"`
		Changes    []struct {
			Change    string
			OpozvanOd uint64 `json:"opozvan_od"`
		}
		Chain      []known.Entry
		Ring       json.RawMessage
		PublicRing json.RawMessage `json:"public_ring"`
	}
	MLDSA []struct {
		SeedHex       string `json:"seed_hex"`
		PublicKeySHA3 string `json:"public_key_sha3_256"`
	} `json:"mldsa"`
	Records []struct {
		Chain             []known.Entry
		Domain, Statement string
		SeedHex           string          `json:"seed_hex"`
		ContentHex        string          `json:"content_hex"`
		SignatureSHA3     string          `json:"deterministic_signature_sha3_256"`
		Record            json.RawMessage `json:"record"`
		RecordSHA3        string          `json:"record_json_sha3_256"`
	}
}

// The same answers are held against Rust, C and Python.
func TestKnownAnswers(t *testing.T) {
	var all answers
	vectors(t, "known_answers.json", &all)
	counts := [...]int{len(all.Identifiers), len(all.ContentHashes), len(all.MLDSA), len(all.Chain.Entries),
		len(all.Chain.Roots), len(all.Chain.KrunicaHashes)}
	if counts != [...]int{12, 12, 3, 5, 6, 5} {
		t.Fatalf("answers are left out: %v", counts)
	}
	for _, one := range all.Identifiers {
		domain := must[*Domain](t)(NewDomain(one.Domain))
		if id := must[ID](t)(domain.IdentityID(unhex(t, one.ContentHex), one.Creator, one.Context)); id != one.IdentityID {
			t.Errorf("%+v: %v", one, id)
		}
	}
	for _, one := range all.ContentHashes {
		domain := must[*Domain](t)(NewDomain(one.Domain))
		content := bytes.NewReader(unhex(t, one.ContentHex))
		if hash := must[ID](t)(domain.HashContent(one.IdentityID, content)); hash != one.SadrzajHash {
			t.Errorf("%+v: %v", one, hash)
		}
	}
	for _, one := range all.MLDSA {
		key := must[*SigningKey](t)(NewSigningKey(unhex(t, one.SeedHex)))
		hash := sha3.Sum256(must[*mldsa.PublicKey](t)(key.PublicKey()).Bytes())
		if hex.EncodeToString(hash[:]) != one.PublicKeySHA3 {
			t.Errorf("the public key of %s", one.SeedHex)
		}
	}
	head, domain := must[*Head](t)(NewHead()), must[*Domain](t)(NewDomain("DUALSEAL"))
	for i, one := range all.Chain.Entries {
		if root := must[ID](t)(head.Root()); root != all.Chain.Roots[i] {
			t.Errorf("the root of %d entries: %v", i, root)
		}
		entry := must[string](t)(head.Append(domain, must[ID](t)(ParseID(one.W3)), one.Poruka, moment(t, one.T)))
		if krunica := isEntry(t, entry, one); krunica != all.Chain.KrunicaHashes[i] {
			t.Errorf("%+v: %v", one, krunica)
		}
	}
	if root := must[ID](t)(head.Root()); root != all.Chain.Roots[5] {
		t.Errorf("the root: %v", root)
	}
}

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	return must[time.Time](t)(time.Parse(time.RFC3339, text))
}

// isEntry compares an entry that was made with the answer.
func isEntry(t *testing.T, made string, expected known.Entry) ID {
	t.Helper()
	line, krunica, err := EntryLine(made)
	var found known.Entry
	if err == nil {
		err = json.Unmarshal([]byte(line), &found)
	}
	if err != nil || found != expected {
		t.Errorf("%+v: %s (%v)", expected, line, err)
	}
	return krunica
}

// Go's own implementation accepts what the library signs, and the library what Go signs.
func TestGoVerifiesOursAndWeGos(t *testing.T) {
	var all answers
	vectors(t, "known_answers.json", &all)
	whole := 0
	for _, one := range all.Records {
		ends, domain := must[*Head](t)(NewHead()), must[*Domain](t)(NewDomain(one.Domain))
		first, second := one.Chain[0], one.Chain[1]
		w3 := must[ID](t)(ParseID(second.W3))
		before := must[ID](t)(ParseID(first.W3))
		isEntry(t, must[string](t)(ends.Append(domain, before, first.Poruka, moment(t, first.T))), first)
		library := must[*SigningKey](t)(NewSigningKey(unhex(t, one.SeedHex)))
		her := &Signer{Domain: domain, Identity: w3, Key: library, NoRing: true}
		now := must[*Signed](t)(her.Sign(bytes.NewReader(unhex(t, one.ContentHex)), ends, moment(t, second.T)))
		isEntry(t, now.Entry, second)
		seed := must[*mldsa.PrivateKey](t)(mldsa.NewPrivateKey(mldsa.MLDSA65(), unhex(t, one.SeedHex)))
		fixed := sha3.Sum256(must[[]byte](t)(seed.SignDeterministic([]byte(one.Statement), nil)))
		if hex.EncodeToString(fixed[:]) != one.SignatureSHA3 {
			t.Errorf("Go's signature of %q is another one", one.Statement)
		}
		if string(one.Record) == "null" {
			continue
		}
		whole++
		record := must[string](t)(known.Canonical(must[any](t)(known.Tree(one.Record))))
		if hash := sha3.Sum256([]byte(record)); hex.EncodeToString(hash[:]) != one.RecordSHA3 {
			t.Fatal("the record is not in its canonical form")
		}
		told := must[*Record](t)(ParseRecord(record))
		verifier := &Verifier{Domain: domain, Ring: must[*Ring](t)(PinnedRing(told.Identity, told.PublicKey))}
		content := unhex(t, one.ContentHex)
		if err := verifier.Verify(told.Identity, bytes.NewReader(content), record); err != nil {
			t.Error(err)
		}
		var members map[string]any
		if err := json.Unmarshal(one.Record, &members); err != nil {
			t.Fatal(err)
		}
		signature := unhex(t, members["potpis"].(string))
		if err := mldsa.Verify(told.PublicKey, []byte(one.Statement), signature, nil); err != nil {
			t.Error(err)
		}

		// Another key of Go's signs the same statement in her name.
		key := must[*mldsa.PrivateKey](t)(mldsa.GenerateKey(mldsa.MLDSA65()))
		members["javni_kljuc"] = hex.EncodeToString(key.PublicKey().Bytes())
		members["potpis"] = hex.EncodeToString(must[[]byte](t)(key.Sign(nil, []byte(one.Statement), nil)))
		byGo := must[string](t)(known.Canonical(members))
		if err := verifier.Verify(told.Identity, bytes.NewReader(content), byGo); !errors.Is(err, Invalid) {
			t.Errorf("a key that nobody pinned: %v", err)
		}
		pinned := &Verifier{Domain: domain, Ring: must[*Ring](t)(PinnedRing(told.Identity, key.PublicKey()))}
		if err := pinned.Verify(told.Identity, bytes.NewReader(content), byGo); err != nil {
			t.Error(err)
		}

		// What the library signs now.
		ours := must[*SigningKey](t)(FromMLDSA(key))
		if !must[*mldsa.PrivateKey](t)(ours.MLDSA()).Equal(key) {
			t.Error("a key that came back is another one")
		}
		signer := &Signer{Domain: domain, Identity: told.Identity, Key: ours, NoRing: true}
		signed := must[*Signed](t)(signer.Sign(bytes.NewReader(content), must[*Head](t)(NewHead()), told.Time))
		made := must[*Record](t)(ParseRecord(signed.Record))
		statement := strings.Replace(one.Statement, told.KrunicaHash.String(), made.KrunicaHash.String(), 1)
		if err := json.Unmarshal([]byte(signed.Record), &members); err != nil {
			t.Fatal(err)
		}
		signature = unhex(t, members["potpis"].(string))
		if err := mldsa.Verify(key.PublicKey(), []byte(statement), signature, nil); err != nil {
			t.Error(err)
		}
		signature[100] ^= 1
		if err := mldsa.Verify(key.PublicKey(), []byte(statement), signature, nil); err == nil {
			t.Error("an altered signature")
		}
	}
	if len(all.Records) != 2 || whole != 1 {
		t.Errorf("%d records, %d of them whole", len(all.Records), whole)
	}
}

func TestKeysTravelAsPEM(t *testing.T) {
	key := must[*SigningKey](t)(GenerateKey())
	public := must[*mldsa.PublicKey](t)(key.PublicKey())
	if read := must[*mldsa.PublicKey](t)(ParsePublicPEM(must[string](t)(PublicPEM(public)))); !read.Equal(public) {
		t.Error("another key")
	}
	pem := must[Secret](t)(key.PEM())
	again := must[*SigningKey](t)(ParsePEM(pem))
	if !must[*mldsa.PublicKey](t)(again.PublicKey()).Equal(public) || !bytes.HasPrefix(pem, []byte("-----BEGIN PRIVATE")) {
		t.Error("another key")
	}
	if _, err := ParsePublicPEM(""); !errors.Is(err, Malformed) {
		t.Errorf("an empty PEM: %v", err)
	}
	if _, err := ParsePEM(nil); !errors.Is(err, Malformed) {
		t.Errorf("an empty PEM: %v", err)
	}
	if _, err := FromMLDSA(must[*mldsa.PrivateKey](t)(mldsa.GenerateKey(mldsa.MLDSA44()))); err == nil {
		t.Error("a key of another parameter set")
	}
	hash := sha3.Sum256(public.Bytes())
	if must[ID](t)(KeyHash(public)) != ID(hash) {
		t.Error("another hash")
	}
}
