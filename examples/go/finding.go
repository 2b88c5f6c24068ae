package dualseal

// #include <dualseal.h>
import "C"

import (
	"encoding/json"
	"errors"
	"io"
)

// Reason is the check by which a record is [Invalid].
type Reason string

// The reasons, the same in every language (docs/FORMAT.md).
const (
	// WhyOtherSigner is of a record by somebody else than the signer who is expected.
	WhyOtherSigner Reason = "other signer"
	// WhyUnknownIdentity is of a signer of whom the ring has no key.
	WhyUnknownIdentity Reason = "unknown identity"
	// WhyForeignKey is of a key that is not the signer's.
	WhyForeignKey Reason = "foreign key"
	// WhyContent is of other content than was signed; of a seal, of its HMAC.
	WhyContent Reason = "content"
	// WhySignature is of a signature that does not hold.
	WhySignature Reason = "signature"
	// WhyRetiredKey is of a key that was retired, and a record of which nobody showed that it stands before that.
	WhyRetiredKey Reason = "retired key"
	// WhyLocated is of a place that is another record's.
	WhyLocated Reason = "located"
	// WhyReservedPayload is of a seal over what only vault records and shards look like.
	WhyReservedPayload Reason = "reserved payload"
	// WhyLegacySeal is of a seal without a signature.
	WhyLegacySeal Reason = "legacy seal"
)

// Finding is what a verification found, for the operator. What others may be told of it is Public.
type Finding struct {
	// Reason is that of [Invalid], and empty of every other verdict.
	Reason Reason
	// JSON is the whole result of docs/FORMAT.md.
	JSON json.RawMessage
	// AsOf has the dates of a verdict at a proven place, and is nil without one.
	AsOf json.RawMessage
	// Public is what everybody else is told: a decoy as valid, and an invalid record without its reason. It is a
	// courtesy, and no evidence.
	Public json.RawMessage
}

// Explain is [Verifier.Verify] with the place of [Verifier.VerifyAt], which may be nil, and says why. Of every verdict
// there is a finding beside the error, of Valid too.
func (v *Verifier) Explain(signer ID, content io.Reader, record string, place *Place) (*Finding, error) {
	hash, err := v.Domain.HashContent(signer, content)
	if err != nil {
		return nil, err
	}
	return v.ExplainHash(signer, hash, record, place)
}

// ExplainHash does the same with content that was hashed for this signer.
func (v *Verifier) ExplainHash(signer, hash ID, record string, place *Place) (*Finding, error) {
	var verdict *C.dualseal_verdict
	err := v.verifyAt(signer, hash, record, place, &verdict)
	return concluded(err, verdict)
}

// ExplainSeal is [Verifier.VerifySeal], and says why.
func (v *Verifier) ExplainSeal(signer ID, payload []byte, seal string, key *SealKey, place *Place) (*Finding, error) {
	return v.explainSeal(signer, payload, seal, C.DUALSEAL_SEAL_POLICY_BOTH, key, place)
}

// ExplainSealSignature is [Verifier.VerifySealSignature], and says why.
func (v *Verifier) ExplainSealSignature(signer ID, payload []byte, seal string, place *Place) (*Finding, error) {
	return v.explainSeal(signer, payload, seal, C.DUALSEAL_SEAL_POLICY_LAYER_B, nil, place)
}

func (v *Verifier) explainSeal(
	signer ID, payload []byte, seal string, policy C.dualseal_seal_policy, key *SealKey, place *Place,
) (*Finding, error) {
	var report *C.dualseal_seal_report
	err := v.verifySeal(signer, payload, seal, policy, key, place, &report)
	if report == nil {
		return nil, err
	}
	defer C.dualseal_seal_report_free(report)
	var verdict *C.dualseal_verdict
	var e *C.dualseal_error
	if unread := check(C.dualseal_seal_report_parts(report, nil, nil, &verdict, &e), &e); unread != nil {
		return nil, errors.Join(err, unread)
	}
	return concluded(err, verdict)
}

// concluded frees the verdict, which is NULL where there was none.
func concluded(err error, verdict *C.dualseal_verdict) (*Finding, error) {
	if verdict == nil {
		return nil, err
	}
	defer C.dualseal_verdict_free(verdict)
	var e *C.dualseal_error
	var result, asOf, public *C.char
	status := C.dualseal_verdict_to_json(verdict, C.DUALSEAL_AUDIENCE_OPERATOR, &result, &asOf, &e)
	if unread := check(status, &e); unread != nil {
		return nil, errors.Join(err, unread)
	}
	finding := &Finding{JSON: json.RawMessage(taken(result))}
	if asOf != nil {
		finding.AsOf = json.RawMessage(taken(asOf))
	}
	status = C.dualseal_verdict_to_json(verdict, C.DUALSEAL_AUDIENCE_EVERYBODY, &public, nil, &e)
	if unread := check(status, &e); unread != nil {
		return nil, errors.Join(err, unread)
	}
	finding.Public = json.RawMessage(taken(public))
	if err == Invalid {
		var told struct {
			Reason Reason `json:"razlog"`
		}
		if unread := unread(json.Unmarshal(finding.JSON, &told)); unread != nil {
			return nil, errors.Join(err, unread)
		}
		finding.Reason = told.Reason
	}
	return finding, err
}
