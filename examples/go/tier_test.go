package dualseal

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// A vault at a tier above public seals what passes where its key was enrolled for that tier, and nowhere else.
func TestAVaultShowsItsTier(t *testing.T) {
	a := openArchive(t)
	shows := must[*PresenceKey](t)(GeneratePresenceKey())
	master := must[Secret](t)(GenerateMaster(a.domain))
	a.vault = must[*Vault](t)(NewTierVault(a.signer, master, TierNoble, shows))
	sealed := a.seals(t, "House 7")
	record, v := []byte(sealed.Redacted), a.verifier()
	policy := func(least Tier, enrolled Tier, key *PresenceKey) *VaultPolicy {
		made := must[*VaultPolicy](t)(PublicPolicy(least))
		if err := made.Enrol(a.ana, enrolled, must[string](t)(key.PublicKey())); err != nil {
			t.Fatal(err)
		}
		return made
	}
	other := must[*PresenceKey](t)(GeneratePresenceKey())
	for name, one := range map[string]struct {
		policy   *VaultPolicy
		expected error
	}{
		"noble, as it is":           {policy(TierNoble, TierNoble, shows), nil},
		"native, which it is not":   {policy(TierNative, TierNoble, shows), Invalid},
		"noble, by another's key":   {policy(TierNoble, TierNoble, other), Invalid},
		"noble, enrolled as native": {policy(TierNoble, TierNative, shows), Invalid},
	} {
		report, err := v.VerifyVault(one.policy, record, a.hash(t, a.stored[0]), a.ana, nil, nil)
		if err != one.expected || report == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The operator's own policy takes it with its place, and unseals it.
	operator := must[*VaultPolicy](t)(a.vault.Policy(TierNoble))
	if err := operator.Enrol(a.ana, TierNoble, must[string](t)(shows.PublicKey())); err != nil {
		t.Fatal(err)
	}
	places := a.places(t, func(r *Reader) (Watched, error) { return r.WatchLedger(a.name, a.vault) })
	place := must[*Place](t)(places.Place(sealed.Stored))
	report := must[*VaultReport](t)(v.VerifyVault(operator, sealed.Stored, a.hash(t, a.stored[0]), a.ana, place, nil))
	var document bytes.Buffer
	err := report.Unseal(sealed.Secret, &document, bytes.NewReader(a.stored[0]))
	if err != nil || document.String() != "House 7" {
		t.Errorf("%v, %q", err, &document)
	}
}

func TestATierIsShownByAKeyOrIsPublic(t *testing.T) {
	a, shows := openArchive(t), must[*PresenceKey](t)(GeneratePresenceKey())
	master := must[Secret](t)(GenerateMaster(a.domain))
	again := must[Secret](t)(GenerateMaster(a.domain))
	if len(master) != 32 || bytes.Equal(master, again) {
		t.Error("a master is not drawn")
	}
	var told *Error
	if _, err := NewTierVault(a.signer, master, TierNoble, nil); !errors.As(err, &told) || told.Field != "tier_key" {
		t.Errorf("without a key: %v", err)
	}
	for _, tier := range []Tier{0, TierPublic, TierNative + 1} {
		if _, err := NewTierVault(a.signer, master, tier, shows); !errors.Is(err, Malformed) && !errors.Is(err, Misuse) &&
			!errors.Is(err, Call) {
			t.Errorf("tier %d: %v", tier, err)
		}
	}
	if _, err := GenerateMaster(nil); err == nil || !strings.Contains(err.Error(), "domain") {
		t.Errorf("without a domain: %v", err)
	}
	_ = shows.Close()
	if _, err := NewTierVault(a.signer, master, TierNoble, shows); err != ErrClosed {
		t.Errorf("a key that was closed: %v", err)
	}
}
