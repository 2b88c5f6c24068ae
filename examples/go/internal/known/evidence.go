// Package known puts files of evidence together out of the known answers in tests/vectors/, which the second
// implementation made. It computes paths and bytes by Go alone: nothing here asks the library.
package known

import (
	"bytes"
	"crypto/mldsa"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Text is a file of the known answers.
func Text(name string) ([]byte, error) {
	folder := os.Getenv("DUALSEAL_VECTORS")
	if folder == "" {
		return nil, fmt.Errorf("DUALSEAL_VECTORS names no folder: run `cargo xtask test go`")
	}
	return os.ReadFile(filepath.Join(folder, name))
}

// Read reads a file of the known answers that is JSON.
func Read(name string, into any) error {
	text, err := Text(name)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// An Entry is one of a chain, as its line has it.
type Entry struct {
	W3     string `json:"w3"`
	Poruka string `json:"poruka"`
	Prev   string `json:"prev"`
	T      string `json:"t"`
	H      string `json:"h"`
}

// A Record is one of the answers with what it is of.
type Record struct {
	Vrsta       string
	Seq         uint64
	SeedHex     string          `json:"seed_hex"`
	DocumentHex string          `json:"document_hex"`
	Record      json.RawMessage `json:"record"`
}

// A State is what a log shows at one size.
type State struct {
	Checkpoint json.RawMessage
	Note       string
	RingEntry  uint64 `json:"ring_entry"`
	Files      []struct {
		Key      json.RawMessage
		JSONSHA3 string `json:"json_sha3_256"`
		Report   json.RawMessage
	}
}

// A Log is one of the answers.
type Log struct {
	Domena      *string
	Fingerprint string
	Chain       []Entry
	Records     []Record
	States      []State
}

// Evidence is all of known_answers_evidence.json.
type Evidence struct {
	Witnesses []struct{ Key string }
	Needed    int
	Logs      []Log
}

// Tree is JSON as values, with its numbers as they stand.
func Tree(text json.RawMessage) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&value)
	return value, err
}

// Canonical is a value as JSON in the order of its names.
func Canonical(value any) (string, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return string(bytes.TrimSuffix(out.Bytes(), []byte("\n"))), err
}

// Leaf is an entry as the log's tree has it (RFC 9162).
func Leaf(e Entry, seq int) [32]byte {
	return sha256.Sum256(fmt.Appendf([]byte{0}, `{"h":"%s","seq":%d,"t":"%s"}`, e.H, seq, e.T))
}

// Path is the proof of a leaf among others, and the root.
func Path(leaves [][32]byte, at int) (proof []string, root [32]byte) {
	if len(leaves) == 1 {
		return nil, leaves[0]
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	node := func(l, r [32]byte) [32]byte { return sha256.Sum256(append(append([]byte{1}, l[:]...), r[:]...)) }
	if at < k {
		proof, left := Path(leaves[:k], at)
		_, right := Path(leaves[k:], 0)
		return append(proof, hex.EncodeToString(right[:])), node(left, right)
	}
	_, left := Path(leaves[:k], 0)
	proof, right := Path(leaves[k:], at-k)
	return append(proof, hex.EncodeToString(left[:])), node(left, right)
}

// Leaves are those of the entries that a checkpoint covers.
func (l *Log) Leaves(state State) ([][32]byte, error) {
	var head struct{ Size int }
	if err := json.Unmarshal(state.Checkpoint, &head); err != nil {
		return nil, err
	}
	leaves := make([][32]byte, head.Size)
	for seq := range leaves {
		leaves[seq] = Leaf(l.Chain[seq], seq)
	}
	return leaves, nil
}

// File puts the file of one record together out of its parts.
func (l *Log) File(state State, one int) (string, error) {
	leaves, err := l.Leaves(state)
	if err != nil {
		return "", err
	}
	place := func(seq uint64) map[string]any {
		e := l.Chain[seq]
		proof, _ := Path(leaves, int(seq))
		return map[string]any{"path": proof, "entry": map[string]any{
			"w3": e.W3, "poruka": e.Poruka, "prev": e.Prev, "t": e.T, "h": e.H, "seq": json.Number(fmt.Sprint(seq))}}
	}
	record := l.Records[one]
	of := place(record.Seq)
	made := map[string]any{"domena": l.Domena, "entry": of["entry"], "path": of["path"], "javni_kljuc": nil,
		"note": state.Note, "ring": place(state.RingEntry), "verzija": "1", "vrsta": record.Vrsta}
	for name, text := range map[string]json.RawMessage{
		"checkpoint": state.Checkpoint, "key": state.Files[one].Key, "record": record.Record} {
		if made[name], err = Tree(text); err != nil {
			return "", err
		}
	}
	// A vault's record has no key of its own.
	if record.Vrsta == "trezor" || record.Vrsta == "brisanje" {
		seed, err := hex.DecodeString(record.SeedHex)
		if err != nil {
			return "", err
		}
		key, err := mldsa.NewPrivateKey(mldsa.MLDSA65(), seed)
		if err != nil {
			return "", err
		}
		made["javni_kljuc"] = hex.EncodeToString(key.PublicKey().Bytes())
	}
	return Canonical(made)
}
