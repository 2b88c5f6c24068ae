// Command verifyd verifies records and evidence for whoever asks over HTTP, with nothing but what it was started with:
// the keys that were pinned and the log's fingerprint. It keeps nothing, signs nothing, and tells of a refusal no more
// than that it is one.
//
//	verifyd -domain ACME -pin IDENTITY=key.pem -log FINGERPRINT
//
//	POST /v1/records?signer=IDENTITY    a form with record, then content
//	POST /v1/evidence                   a form with evidence, then document
//
// Both answer {"verdict": …}, of evidence with its report: valid, revoked, suspended or invalid. A record counts by a
// pinned key alone; evidence by whichever signer's the log has, whatever was pinned. Who is pinned no answer tells.
package main

import (
	"context"
	"crypto/mldsa"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"dualseal.example/dualseal"
)

// The most that is read of what is verified, and of a record or a file of evidence.
const (
	mostDocument = 256 << 20
	mostRecord   = 128 << 10
)

// A service is what it was started with, and how many it serves at once.
type service struct {
	domain    *dualseal.Domain
	verifiers map[dualseal.ID]*dualseal.Verifier
	// A key that signed nothing, and stands for whoever is not pinned.
	nobody *mldsa.PublicKey
	policy dualseal.Policy
	slots  chan struct{}
}

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/records", s.limited(s.records))
	mux.HandleFunc("POST /v1/evidence", s.limited(s.evidence))
	return mux
}

// limited refuses what it has no room for at once, so that nobody's documents wait in memory.
func (s *service) limited(handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		default:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "busy", http.StatusTooManyRequests)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostDocument+mostRecord)
		handle(w, r)
	}
}

type answer struct {
	Verdict string          `json:"verdict"`
	Report  json.RawMessage `json:"report,omitempty"`
}

func (s *service) records(w http.ResponseWriter, r *http.Request) {
	signer, err := dualseal.ParseID(r.URL.Query().Get("signer"))
	if err != nil {
		http.Error(w, "the query names no signer", http.StatusBadRequest)
		return
	}
	record, content, err := form(r, "record", "content")
	if err != nil {
		refused(w, err)
		return
	}
	verifier, known := s.verifiers[signer]
	if !known {
		// The same way as the others: who is pinned here is nobody's business.
		ring, err := dualseal.PinnedRing(signer, s.nobody)
		if err != nil {
			refused(w, err)
			return
		}
		defer func() { _ = ring.Close() }()
		verifier = &dualseal.Verifier{Domain: s.domain, Ring: ring}
	}
	conclude(w, nil, verifier.Verify(signer, content, record))
}

func (s *service) evidence(w http.ResponseWriter, r *http.Request) {
	file, document, err := form(r, "evidence", "document")
	if err != nil {
		refused(w, err)
		return
	}
	evidence, err := dualseal.OpenEvidence(file, s.policy)
	if err != nil {
		conclude(w, nil, err)
		return
	}
	defer func() { _ = evidence.Close() }()
	if _, err := io.Copy(evidence, document); err != nil {
		refused(w, err)
		return
	}
	report, err := evidence.Finish()
	conclude(w, report, err)
}

// form reads two parts in this order: the first whole, the second as it comes.
func form(r *http.Request, first, second string) (string, io.Reader, error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return "", nil, err
	}
	one, err := part(parts, first)
	if err != nil {
		return "", nil, err
	}
	text, err := io.ReadAll(io.LimitReader(one, mostRecord+1))
	if err != nil {
		return "", nil, err
	}
	if len(text) > mostRecord {
		return "", nil, fmt.Errorf("the part %s is too long", first)
	}
	two, err := part(parts, second)
	return string(text), two, err
}

func part(parts *multipart.Reader, name string) (io.Reader, error) {
	found, err := parts.NextPart()
	if err != nil {
		return nil, err
	}
	if found.FormName() != name {
		return nil, fmt.Errorf("the form has no part %s at its place", name)
	}
	return found, nil
}

// conclude tells the verdict. What was refused is invalid, whatever the reason; what cannot be read is the caller's to
// mend.
func conclude(w http.ResponseWriter, report *dualseal.Report, err error) {
	told := answer{Verdict: "invalid"}
	switch {
	case err == nil:
		told.Verdict = "valid"
	case errors.Is(err, dualseal.Revoked):
		told.Verdict = "revoked"
	case errors.Is(err, dualseal.Suspended):
		told.Verdict = "suspended"
	case errors.Is(err, dualseal.Invalid), errors.Is(err, dualseal.Decoy), errors.Is(err, dualseal.Rejected):
	default:
		refused(w, err)
		return
	}
	if report != nil {
		told.Report = report.JSON
	}
	tell(w, told)
}

func tell(w http.ResponseWriter, told answer) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(told); err != nil {
		slog.Warn("nobody took the answer", "error", err)
	}
}

func refused(w http.ResponseWriter, err error) {
	var large *http.MaxBytesError
	var told *dualseal.Error
	switch {
	case errors.As(err, &large):
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
	case errors.As(err, &told) && !errors.Is(err, dualseal.Malformed):
		slog.Error("no verdict", "status", told.Status, "error", err)
		http.Error(w, "no verdict", http.StatusInternalServerError)
	default:
		http.Error(w, "that is no form of two parts, or the first cannot be read", http.StatusBadRequest)
	}
}

// newService takes pins as IDENTITY=FILE, of files with a public key in PEM.
func newService(domain string, pins []string, policy dualseal.Policy, atOnce int) (*service, error) {
	if named := len(policy.Witnesses); (named > 0) != (policy.Needed > 0) || policy.Needed > named {
		return nil, fmt.Errorf("-needed %d of %d that -witness names: at least one, and no more than those",
			policy.Needed, named)
	}
	d, err := dualseal.NewDomain(domain)
	if err != nil {
		return nil, err
	}
	nobody, err := drawn()
	if err != nil {
		return nil, err
	}
	s := &service{domain: d, nobody: nobody, policy: policy, slots: make(chan struct{}, atOnce)}
	s.verifiers = map[dualseal.ID]*dualseal.Verifier{}
	for _, pin := range pins {
		name, file, _ := strings.Cut(pin, "=")
		identity, err := dualseal.ParseID(name)
		if err != nil {
			return nil, fmt.Errorf("-pin %s: %w", pin, err)
		}
		key, err := readKey(file)
		if err != nil {
			return nil, fmt.Errorf("-pin %s: %w", pin, err)
		}
		ring, err := dualseal.PinnedRing(identity, key)
		if err != nil {
			return nil, err
		}
		s.verifiers[identity] = &dualseal.Verifier{Domain: d, Ring: ring}
	}
	return s, nil
}

// drawn is a public key whose other half nobody has.
func drawn() (*mldsa.PublicKey, error) {
	key, err := dualseal.GenerateKey()
	if err != nil {
		return nil, err
	}
	defer func() { _ = key.Close() }()
	return key.PublicKey()
}

func readKey(file string) (*mldsa.PublicKey, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return dualseal.ParsePublicPEM(string(pem))
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "verifyd:", err)
		os.Exit(1)
	}
}

func run(arguments []string, out io.Writer) error {
	var pins, witnesses []string
	list := func(to *[]string) func(string) error {
		return func(one string) error { *to = append(*to, one); return nil }
	}
	flags := flag.NewFlagSet("verifyd", flag.ExitOnError)
	listen := flags.String("listen", "127.0.0.1:8080", "where to listen")
	domain := flags.String("domain", "DUALSEAL", "the deployment whose records are verified")
	flags.Func("pin", "whose records count, as IDENTITY=FILE of a public key in PEM; several times", list(&pins))
	policy := dualseal.Policy{AnySigner: true}
	flags.TextVar(&policy.Log, "log", dualseal.ID{}, "the fingerprint of the log whose evidence counts")
	flags.Uint64Var(&policy.LeastSize, "least-size", 0, "the fewest entries of a checkpoint that counts")
	flags.Func("witness", "the verifier key of a witness; several times", list(&witnesses))
	flags.IntVar(&policy.Needed, "needed", 0, "how many witnesses must have seen the log")
	atOnce := flags.Int("at-once", 64, "how many are served at once")
	version := flags.Bool("version", false, "say which library this is, and end")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if *version {
		_, err := fmt.Fprintln(out, "verifyd, dualseal", dualseal.Version())
		return err
	}
	policy.Witnesses = witnesses
	s, err := newService(*domain, pins, policy, *atOnce)
	if err != nil {
		return err
	}
	server := &http.Server{Addr: *listen, Handler: s.handler(), ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout: 5 * time.Minute, WriteTimeout: 6 * time.Minute, MaxHeaderBytes: 16 << 10}
	ends, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ends, func() {
		ending, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		_ = server.Shutdown(ending)
	})
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
