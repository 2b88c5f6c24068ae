package main

import (
	"bytes"
	"crypto/mldsa"
	"encoding/hex"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dualseal.example/dualseal"
	"dualseal.example/dualseal/internal/known"
)

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// posted is the status and the answer to a form of these parts.
func posted(t *testing.T, url string, parts ...[2]string) (int, string) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, one := range parts {
		writer := must[io.Writer](t)(form.CreateFormField(one[0]))
		if _, err := io.WriteString(writer, one[1]); err != nil {
			t.Fatal(err)
		}
	}
	_ = form.Close()
	response := must[*http.Response](t)(http.Post(url, form.FormDataContentType(), &body))
	defer response.Body.Close()
	text := must[[]byte](t)(io.ReadAll(response.Body))
	var told answer
	if json.Unmarshal(text, &told) == nil {
		return response.StatusCode, told.Verdict
	}
	return response.StatusCode, string(text)
}

func TestRecordsAreVerifiedByThePinnedKey(t *testing.T) {
	domain := must[*dualseal.Domain](t)(dualseal.NewDomain("DUALSEAL"))
	ana := must[dualseal.ID](t)(domain.IdentityID(nil, "ana", ""))
	bob := must[dualseal.ID](t)(domain.IdentityID(nil, "bob", ""))
	key := must[*dualseal.SigningKey](t)(dualseal.GenerateKey())
	pem := must[string](t)(dualseal.PublicPEM(must[*mldsa.PublicKey](t)(key.PublicKey())))
	file := filepath.Join(t.TempDir(), "ana.pem")
	if err := os.WriteFile(file, []byte(pem), 0o600); err != nil {
		t.Fatal(err)
	}
	signer := &dualseal.Signer{Domain: domain, Identity: ana, Key: key, NoRing: true}
	head := must[*dualseal.Head](t)(dualseal.NewHead())
	record := must[*dualseal.Signed](t)(signer.Sign(strings.NewReader("a contract"), head, time.Now())).Record
	pins := []string{ana.String() + "=" + file}
	s := must[*service](t)(newService("DUALSEAL", pins, dualseal.Policy{AnySigner: true}, 2))
	server := httptest.NewServer(s.handler())
	defer server.Close()
	url := server.URL + "/v1/records?signer="
	for _, one := range []struct {
		signer, first, record, second, content string
		code                                   int
		verdict                                string
	}{
		{ana.String(), "record", record, "content", "a contract", 200, "valid"},
		{ana.String(), "record", record, "content", "another", 200, "invalid"},
		{"bob", "record", record, "content", "a contract", 400, ""},
		{ana.String(), "content", record, "record", "a contract", 400, ""},
		{ana.String(), "record", "{", "content", "a contract", 400, ""},
		{ana.String(), "record", strings.Repeat("x", mostRecord+1), "content", "a contract", 400, ""},
	} {
		code, verdict := posted(t, url+one.signer, [2]string{one.first, one.record}, [2]string{one.second, one.content})
		if code != one.code || one.verdict != "" && verdict != one.verdict {
			t.Errorf("%.40v: %d %s", one, code, verdict)
		}
		// Whoever is not pinned is told what a pinned signer is, by whom the record is not.
		if one.signer == ana.String() {
			expected := verdict
			if expected == "valid" {
				expected = "invalid"
			}
			code, verdict = posted(t, url+bob.String(), [2]string{one.first, one.record}, [2]string{one.second, one.content})
			if code != one.code || verdict != expected {
				t.Errorf("%.40v, not pinned: %d %s", one, code, verdict)
			}
		}
	}
	if code, _ := posted(t, url+ana.String(), [2]string{"record", record}); code != http.StatusBadRequest {
		t.Errorf("without the content: %d", code)
	}
	// One form more than there is room for.
	for range 2 {
		s.slots <- struct{}{}
	}
	code, _ := posted(t, url+ana.String(), [2]string{"record", record}, [2]string{"content", ""})
	if code != http.StatusTooManyRequests {
		t.Errorf("without room: %d", code)
	}
	if response := must[*http.Response](t)(http.Get(url)); response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a GET: %d", response.StatusCode)
	}
}

func TestEvidenceIsOfTheLogThatWasNamed(t *testing.T) {
	var all known.Evidence
	if err := known.Read("known_answers_evidence.json", &all); err != nil {
		t.Fatal(err)
	}
	log := &all.Logs[0]
	fingerprint := must[dualseal.ID](t)(dualseal.ParseID(log.Fingerprint))
	verdicts := map[string]int{}
	for at, state := range log.States {
		for i, record := range log.Records {
			if i >= len(state.Files) {
				continue
			}
			file := must[string](t)(log.File(state, i))
			document := string(must[[]byte](t)(hex.DecodeString(record.DocumentHex)))
			for _, one := range []struct {
				log      dualseal.ID
				document string
				refused  bool
			}{{fingerprint, document, false}, {fingerprint, document + "x", true}, {dualseal.ID{1}, document, true}} {
				s := must[*service](t)(newService("DUALSEAL", nil, dualseal.Policy{Log: one.log, AnySigner: true}, 2))
				server := httptest.NewServer(s.handler())
				parts := [][2]string{{"evidence", file}, {"document", one.document}}
				code, verdict := posted(t, server.URL+"/v1/evidence", parts...)
				server.Close()
				if code != 200 || one.refused != (verdict == "invalid") {
					t.Errorf("state %d, %s: %d %s", at, record.Vrsta, code, verdict)
				}
				verdicts[verdict]++
			}
		}
	}
	if verdicts["valid"] == 0 || verdicts["revoked"] == 0 || verdicts["invalid"] == 0 {
		t.Errorf("%v", verdicts)
	}
}

func TestPinsThatCannotBeReadStopTheStart(t *testing.T) {
	for _, pin := range []string{"", "x=y", strings.Repeat("0", 64) + "=" + filepath.Join(t.TempDir(), "none")} {
		if _, err := newService("DUALSEAL", []string{pin}, dualseal.Policy{}, 1); err == nil {
			t.Errorf("%q", pin)
		}
	}
}

func TestWitnessesAndHowManyAreNeededGoTogether(t *testing.T) {
	one := []string{"witness.example/w+7a1c3c5d+BA=="}
	for _, policy := range []dualseal.Policy{{Witnesses: one}, {Needed: 1}, {Witnesses: one, Needed: 2}} {
		if _, err := newService("DUALSEAL", nil, policy, 1); err == nil {
			t.Errorf("%+v", policy)
		}
	}
	must[*service](t)(newService("DUALSEAL", nil, dualseal.Policy{Witnesses: one, Needed: 1}, 1))
}

func TestItSaysWhichLibraryItIs(t *testing.T) {
	var out bytes.Buffer
	if err := run([]string{"-version"}, &out); err != nil || out.String() != "verifyd, dualseal "+dualseal.Version()+"\n" {
		t.Errorf("%q, %v", &out, err)
	}
}
