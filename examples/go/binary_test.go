package dualseal

import (
	"bytes"
	"crypto/mldsa"
	"errors"
	"strings"
	"testing"

	"dualseal.example/dualseal/internal/known"
)

// The file that Rust, C and Python are held against as well: the same bytes of the same text, both ways.
func TestBinaryFormsAreEverybodys(t *testing.T) {
	text := must[[]byte](t)(known.Text("known_answers_binary.tsv"))
	kinds := map[string]Form{"record": BinaryRecord, "short": BinaryShortRecord, "entry": BinaryEntry, "seal": BinarySeal}
	found := map[Form]int{}
	for line := range strings.Lines(string(text)) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		form, known := kinds[columns[0]]
		if !known || len(columns) != 4 {
			t.Fatalf("%.80q", line)
		}
		stored, kept := unhex(t, columns[1]), columns[3]
		var key *mldsa.PublicKey
		if form == BinaryShortRecord {
			key = must[*mldsa.PublicKey](t)(mldsa.NewPublicKey(mldsa.MLDSA65(), unhex(t, columns[2])))
		}
		if made, err := form.FromText(kept); err != nil || !bytes.Equal(made, stored) {
			t.Errorf("%s: %v", columns[0], err)
		}
		if read, err := form.ToText(stored, key); err != nil || read != kept {
			t.Errorf("%s: %v", columns[0], err)
		}
		if _, err := form.ToText(stored[:len(stored)-1], key); !errors.Is(err, Malformed) {
			t.Errorf("%s, a byte short: %v", columns[0], err)
		}
		found[form]++
	}
	if len(found) != len(kinds) {
		t.Errorf("%v", found)
	}
	if _, err := Form(9).FromText("{}"); !errors.Is(err, Malformed) {
		t.Errorf("a form that is none: %v", err)
	}
}
