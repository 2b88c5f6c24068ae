package dualseal

import (
	"crypto/mldsa"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What the way into C and back costs beside what it is for: cgo's own, a call of the library that does nothing, one
// verification with a key that was prepared and one without, and the same of Go's standard library.
func BenchmarkOverhead(b *testing.B) {
	s := setUp(b)
	s.verifier.Cache = must[*KeyCache](b)(NewKeyCache(1 << 20))
	signed := must[*Signed](b)(s.signer.Sign(strings.NewReader("one contract"), s.head, noon))
	hash := must[ID](b)(s.domain.HashContent(s.ana, strings.NewReader("one contract")))
	b.Run("call", func(b *testing.B) {
		for b.Loop() {
			nothingOfC()
		}
	})
	b.Run("verify", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := s.verifier.VerifyHash(s.ana, hash, signed.Record); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("verify-without-a-cache", func(b *testing.B) {
		alone := &Verifier{Domain: s.verifier.Domain, Ring: s.verifier.Ring}
		for b.Loop() {
			if err := alone.VerifyHash(s.ana, hash, signed.Record); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("verify-refused-before-the-signature", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := s.verifier.VerifyHash(s.ana, hash, "{"); err == nil {
				b.Fatal("verified")
			}
		}
	})
	b.Run("go-mldsa", func(b *testing.B) {
		record := must[*Record](b)(ParseRecord(signed.Record))
		var members struct{ Potpis string }
		if err := json.Unmarshal([]byte(signed.Record), &members); err != nil {
			b.Fatal(err)
		}
		statement := fmt.Appendf(nil, "DUALSEAL-SIGN::STATEMENT::ML-DSA-65::1::%v::%v::%v::%s::DUALSEAL", record.Identity,
			record.ContentHash, record.KrunicaHash, record.Time.Format("2006-01-02T15:04:05.000Z"))
		signature := unhex(b, members.Potpis)
		for b.Loop() {
			if err := mldsa.Verify(record.PublicKey, statement, signature, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
