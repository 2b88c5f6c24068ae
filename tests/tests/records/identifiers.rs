//! Identifiers: the formulas recomputed with another SHA3, the input rules, and that no two accepted inputs share a
//! preimage.

use dualseal::domain::{Label, Row};
use dualseal::error::{Malformed, Problem};
use dualseal::id::{MessageHash, SessionId, lint};
use dualseal::secret::Secret;
use dualseal::{Domain, Error, IdentityId, SystemRng};
use proptest::collection::vec;
use proptest::prelude::*;
use sha3::{Digest, Sha3_256};
use std::collections::{BTreeSet, HashMap};

fn h3(parts: &[&[u8]]) -> String {
    hex::encode(Sha3_256::digest(parts.concat()))
}

fn is_ambiguous(text: &str) -> bool {
    text.contains("::") || text.starts_with(':')
}

fn ambiguous(named: &'static str, error: &Error) -> bool {
    let Error::Malformed(Malformed { field, index: None, problem, .. }) = error else { return false };
    *field == named && *problem == Problem::Ambiguous
}

/// Text in which the separator is likely.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a:]{0,6}", "[é:]{1,3}"]
}

proptest! {
    #[test]
    fn the_formulas(content in vec(any::<u8>(), 0..600), creator in text(), context in text(), seq in 0u64..1 << 53) {
        let domain = Domain::default();
        let general: [&[u8]; 7] =
            [b"DUALSEAL-ID::", &content, b"::", creator.as_bytes(), b"::", context.as_bytes(), b"::DUALSEAL"];
        let tail = format!("{}::{creator}::{context}::{seq}::DUALSEAL", hex::encode(&content));
        let vault: [&[u8]; 2] = [b"DUALSEAL-VAULT::", tail.as_bytes()];

        prop_assert_eq!(domain.legacy_identity_id(&content, &creator, &context).to_hex(), h3(&general));
        prop_assert_eq!(domain.legacy_vault_id(&content, &creator, &context, seq).to_hex(), h3(&vault));
        let (strict, strict_vault) =
            (domain.identity_id(&content, &creator, &context), domain.vault_id(&content, &creator, &context, seq));
        let field = if is_ambiguous(&creator) { "creator" } else { "context" };
        if is_ambiguous(&creator) || is_ambiguous(&context) {
            prop_assert!(ambiguous(field, &strict.unwrap_err()) && ambiguous(field, &strict_vault.unwrap_err()));
        } else {
            prop_assert_eq!(strict.unwrap().to_hex(), h3(&general));
            prop_assert_eq!(strict_vault.unwrap().to_hex(), h3(&vault));
        }
    }

    #[test]
    fn content_hashes_and_bindings(
        content in vec(any::<u8>(), 0..300),
        id: [u8; 32],
        message in vec(any::<u8>(), 0..99),
    ) {
        let domain = Domain::default();
        let id_hex = hex::encode(id);
        let head = format!("DUALSEAL-SIGN::CONTENT::{id_hex}::DUALSEAL");
        let hash = domain.content_hash(&IdentityId::from_bytes(id), &content);
        prop_assert_eq!(hash.to_hex(), h3(&[head.as_bytes(), &content]));

        let message_hash = hex::encode(sha3::Sha3_512::digest(&message));
        prop_assert_eq!(MessageHash::of(&message).to_hex(), message_hash.as_str());
        let binding = format!("DUALSEAL-THRESHOLD::BINDING::{id_hex}::{message_hash}::DUALSEAL");
        let found = domain.threshold_binding(&SessionId::from_bytes(id), &MessageHash::of(&message));
        prop_assert_eq!(found.to_hex(), h3(&[binding.as_bytes()]));
    }

    #[test]
    fn streaming_equals_one_shot(content in vec(any::<u8>(), 0..1200), step in 1usize..700) {
        let domain = Domain::default();
        let id = IdentityId::from_bytes([3; 32]);
        let mut general = domain.identity_hasher("ana", "2026").unwrap();
        let mut vault = domain.vault_hasher("ana", "2026", 7).unwrap();
        let mut body = domain.content_hasher(&id);
        for part in content.chunks(step) {
            general.update(part);
            vault.update(part);
            body.update(part);
            general.update(&[]);
            vault.update(&[]);
            body.update(&[]);
        }
        prop_assert_eq!(general.finish(), domain.identity_id(&content, "ana", "2026").unwrap());
        prop_assert_eq!(vault.finish(), domain.vault_id(&content, "ana", "2026", 7).unwrap());
        prop_assert_eq!(body.finish(), domain.content_hash(&id, &content));
    }
}

/// Every text of up to four characters of `:` and `a`, which is every way in which separators can come to stand.
fn alphabet() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut longest = all.clone();
    for _ in 0..4 {
        longest = longest.iter().flat_map(|text| [format!("{text}:"), format!("{text}a")]).collect();
        all.extend(longest.iter().cloned());
    }
    assert_eq!(all.len(), 31);
    all
}

#[test]
fn accepted_inputs_never_share_an_identifier_and_legacy_ones_do() {
    let domain = Domain::default();
    let texts = alphabet();
    // How many accepted inputs, and how many inputs at all, have an identifier.
    let mut seen: HashMap<IdentityId, (u32, u32)> = HashMap::new();
    for content in &texts {
        for creator in &texts {
            for context in &texts {
                let id = domain.legacy_identity_id(content.as_bytes(), creator, context);
                let strict = domain.identity_id(content.as_bytes(), creator, context);
                assert_eq!(strict.is_ok(), !is_ambiguous(creator) && !is_ambiguous(context));
                assert_eq!(lint([(creator.as_str(), context.as_str())]).is_empty(), strict.is_ok());
                let (accepted, all) = seen.entry(id).or_default();
                *all += 1;
                *accepted += u32::from(strict.is_ok_and(|strict| strict == id));
            }
        }
    }
    assert!(seen.values().all(|(accepted, _)| *accepted <= 1));
    assert!(seen.values().any(|(accepted, all)| *accepted == 1 && *all > 1), "an old input can share a new one's");
    assert!(seen.values().filter(|(_, all)| *all > 1).count() > 1000);
}

#[test]
fn accepted_vault_inputs_never_share_an_identifier_and_legacy_ones_do() {
    let domain = Domain::default();
    let texts = alphabet();
    let (mut accepted, mut legacy, mut strict_count) = (BTreeSet::new(), BTreeSet::new(), 0);
    for payload in [&b""[..], b":", b"a"] {
        for creator in texts.iter().map(String::as_str).chain(["0", "1"]) {
            for context in texts.iter().map(String::as_str).chain(["0", "1", "a::1"]) {
                for seq in [0, 1, 10, 11] {
                    legacy.insert(domain.legacy_vault_id(payload, creator, context, seq));
                    if let Ok(id) = domain.vault_id(payload, creator, context, seq) {
                        strict_count += 1;
                        assert!(accepted.insert(id), "{payload:?} {creator:?} {context:?} {seq}");
                    }
                }
            }
        }
    }
    assert!(strict_count > 100);
    assert!(legacy.len() < 3 * 33 * 34 * 4, "no two legacy inputs share one");
}

#[test]
fn a_shared_prefix_lets_a_vault_identifier_equal_a_general_one() {
    let shared = Domain::builder("ACME").prefix(Row::Vault, "ACME-ID").legacy_shared_constants().build().unwrap();
    let vault = shared.vault_id(b"payload", "ana", "2026", 7).unwrap();
    let content = format!("{}::ana", hex::encode(b"payload"));
    assert_eq!(vault.to_hex(), shared.identity_id(content.as_bytes(), "2026", "7").unwrap().to_hex());
    // Which is why it takes a word of the caller's.
    let apart = Domain::new("ACME").unwrap();
    let vault = apart.vault_id(b"payload", "ana", "2026", 7).unwrap();
    assert_ne!(vault.to_hex(), apart.identity_id(content.as_bytes(), "2026", "7").unwrap().to_hex());
}

#[test]
fn the_position_in_a_ledger_has_a_limit() {
    let domain = Domain::default();
    assert!(domain.vault_id(b"", "", "", (1 << 53) - 1).is_ok());
    for seq in [1 << 53, u64::MAX] {
        let Err(Error::Malformed(error)) = domain.vault_id(b"", "", "", seq) else { panic!("{seq}") };
        assert_eq!((error.field, error.problem), ("seq", Problem::Range));
        assert!(domain.vault_hasher("", "", seq).is_err());
    }
}

#[test]
fn hashers_are_writers() {
    let domain = Domain::default();
    let content: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let mut general = domain.identity_hasher("a", "b").unwrap();
    let mut vault = domain.vault_hasher("a", "b", 1).unwrap();
    let mut body = domain.content_hasher(&IdentityId::from_bytes([1; 32]));
    assert_eq!(std::io::copy(&mut &content[..], &mut general).unwrap(), 100_000);
    std::io::copy(&mut &content[..], &mut vault).unwrap();
    std::io::copy(&mut &content[..], &mut body).unwrap();
    assert_eq!(general.finish(), domain.identity_id(&content, "a", "b").unwrap());
    assert_eq!(vault.finish(), domain.vault_id(&content, "a", "b", 1).unwrap());
    assert_eq!(body.finish(), domain.content_hash(&IdentityId::from_bytes([1; 32]), &content));
}

#[test]
fn no_normalisation_is_applied() {
    let domain = Domain::default();
    let composed = domain.identity_id(b"", "\u{e9}", "").unwrap();
    assert_ne!(composed, domain.identity_id(b"", "e\u{301}", "").unwrap());
    assert_ne!(composed, domain.identity_id(b"", "\u{c9}", "").unwrap());
    assert_ne!(composed, domain.identity_id(b"", "\u{e9} ", "").unwrap());
}

/// Whoever sees the identifier of a person tries names, until one gives it. A context that was drawn, and is kept,
/// leaves nothing to try.
#[test]
fn a_name_is_guessed_unless_the_context_was_drawn() {
    let domain = Domain::default();
    let id = |name: &str, context: &str| domain.identity_id(b"", name, context).unwrap();
    let names = ["Ivan Babić", "Ana Horvat", "Eva Kovač"];
    let guessed = |found: IdentityId| {
        let contexts = ["", "patient", "employee"];
        names.into_iter().find(|name| contexts.into_iter().any(|context| id(name, context) == found))
    };
    assert_eq!(guessed(id("Ana Horvat", "patient")), Some("Ana Horvat"));
    let [one, other] = [(); 2].map(|()| hex::encode(Secret::<32>::random(&mut SystemRng).unwrap().expose()));
    assert_eq!(guessed(id("Ana Horvat", &one)), None);
    assert_ne!(id("Ana Horvat", &one), id("Ana Horvat", &other), "nor do two identifiers of hers tell that they are");
    assert_eq!(id("Ana Horvat", &one), id("Ana Horvat", &one));
}

#[test]
fn every_constant_counts() {
    let outputs = |domain: &Domain| {
        let id = IdentityId::from_bytes([1; 32]);
        [
            domain.identity_id(b"x", "a", "b").unwrap().to_hex(),
            domain.vault_id(b"x", "a", "b", 0).unwrap().to_hex(),
            domain.content_hash(&id, b"x").to_hex(),
            domain.threshold_binding(&SessionId::from_bytes([1; 32]), &MessageHash::of(b"x")).to_hex(),
        ]
    };
    let base = Domain::new("ACME").unwrap();
    let changed = |domain: Domain| {
        assert_ne!(domain, base);
        let (ours, theirs) = (outputs(&domain), outputs(&base));
        (0..4).filter(|i| ours[*i] != theirs[*i]).collect::<Vec<_>>()
    };
    let rows = [Row::Identifier, Row::Vault, Row::Signature, Row::Threshold];
    for (output, row) in rows.into_iter().enumerate() {
        assert_eq!(changed(Domain::builder("ACME").prefix(row, "OTHER").build().unwrap()), [output]);
        assert_eq!(changed(Domain::builder("ACME").suffix(row, "OTHER").build().unwrap()), [output]);
    }
    assert_eq!(changed(Domain::builder("ACME").label(Label::SignatureContent, "OTHER").build().unwrap()), [2]);
    assert_eq!(changed(Domain::builder("ACME").label(Label::ThresholdBinding, "OTHER").build().unwrap()), [3]);
    assert_eq!(changed(Domain::new("ACMF").unwrap()), [0, 1, 2, 3]);
    assert_eq!(outputs(&base), outputs(&Domain::builder("ACME").build().unwrap()));
    assert_eq!(Domain::default(), Domain::new("DUALSEAL").unwrap());
}
