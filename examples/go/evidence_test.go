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
	"testing/iotest"
	"time"

	"dualseal.example/dualseal/internal/known"
)

func knownEvidence(t *testing.T) (all known.Evidence) {
	t.Helper()
	vectors(t, "known_answers_evidence.json", &all)
	return all
}

// The files that Go puts together have the bytes that everybody's have, and give the report that everybody gets.
func TestKnownEvidence(t *testing.T) {
	all := knownEvidence(t)
	log, files := &all.Logs[0], map[string]int{}
	policy := Policy{Log: must[ID](t)(ParseID(log.Fingerprint)), AnySigner: true, Needed: all.Needed}
	for _, witness := range all.Witnesses {
		policy.Witnesses = append(policy.Witnesses, witness.Key)
	}
	for i := range len(log.States) * len(log.Records) {
		state, i := log.States[i/len(log.Records)], i%len(log.Records)
		record, file := log.Records[i], must[string](t)(log.File(state, i))
		document := unhex(t, record.DocumentHex)
		if hash := sha3.Sum256([]byte(file)); hex.EncodeToString(hash[:]) != state.Files[i].JSONSHA3 {
			t.Errorf("%s has other bytes", record.Vrsta)
			continue
		}
		evidence := must[*Evidence](t)(OpenEvidence(file, policy))
		if _, err := bytes.NewReader(document).WriteTo(evidence); err != nil {
			t.Fatal(err)
		}
		report, err := evidence.Finish()
		files[fmt.Sprint(err)]++
		if report == nil || report.Kind != record.Vrsta || report.Origin != "log.example/evidence" {
			t.Fatalf("%+v", report)
		}
		same(t, string(report.JSON), state.Files[i].Report)
		if err := evidence.Compare(evidence); err != nil {
			t.Error(err)
		}

		// Another document, another log, other demands.
		evidence = must[*Evidence](t)(OpenEvidence(file, policy))
		if _, err := evidence.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		if report, err := evidence.Finish(); !errors.Is(err, EvidenceRecord) || report != nil {
			t.Errorf("another document: %v", err)
		}
		for _, change := range []func(*Policy){
			func(p *Policy) { p.Log[0] ^= 1 },
			func(p *Policy) { p.LeastSize = 1 << 40 },
			func(p *Policy) { p.AnySigner, p.Signer = false, ID{1} },
			func(p *Policy) { p.AnySigner = false },
			func(p *Policy) { p.Key = ID{1} },
			func(p *Policy) { p.Needed = 99 },
			func(p *Policy) { p.Witnesses = []string{"nobody"} },
		} {
			other := policy
			change(&other)
			if _, err := OpenEvidence(file, other); err == nil {
				t.Errorf("opened under %+v", other)
			}
		}
		late := policy
		late.WitnessedAfter = time.Now().AddDate(100, 0, 0)
		evidence = must[*Evidence](t)(OpenEvidence(file, late))
		if _, err := evidence.Write(document); err != nil {
			t.Fatal(err)
		}
		if _, err := evidence.Finish(); !errors.Is(err, Rejected) {
			t.Errorf("nobody saw it so late: %v", err)
		}
	}
	valid, revoked, suspended := files["<nil>"], files[Revoked.Error()], files[Suspended.Error()]
	if valid+revoked+suspended != 10 || valid == 0 || revoked == 0 || suspended == 0 {
		t.Errorf("%v", files)
	}
	file := must[string](t)(log.File(log.States[0], 0))
	if _, err := OpenEvidence(strings.Replace(file, "potpis", "pecat", 1), policy); err == nil {
		t.Error("another kind")
	}
}

// The tree that the paths come from is the checkpoint's.
func TestPathsLeadToTheRoot(t *testing.T) {
	all := knownEvidence(t)
	for _, log := range all.Logs {
		for _, state := range log.States {
			var head struct{ Root ID }
			if err := json.Unmarshal(state.Checkpoint, &head); err != nil {
				t.Fatal(err)
			}
			if _, root := known.Path(must[[][32]byte](t)(log.Leaves(state)), 0); ID(root) != head.Root {
				t.Errorf("%x", root)
			}
		}
	}
}

func TestEvidenceIsReadInParts(t *testing.T) {
	all := knownEvidence(t)
	log := &all.Logs[0]
	state := log.States[len(log.States)-1]
	policy := Policy{Log: must[ID](t)(ParseID(log.Fingerprint)), AnySigner: true}
	evidence := must[*Evidence](t)(OpenEvidence(must[string](t)(log.File(state, 1)), policy))
	source := iotest.OneByteReader(bytes.NewReader(unhex(t, log.Records[1].DocumentHex)))
	if err := parts(source, func(part []byte) error { _, err := evidence.Write(part); return err }); err != nil {
		t.Fatal(err)
	}
	if report, err := evidence.Finish(); report == nil || errors.Is(err, EvidenceRecord) {
		t.Errorf("%v", err)
	}
	if _, err := evidence.Finish(); !errors.Is(err, Misuse) {
		t.Errorf("a second time: %v", err)
	}
}
