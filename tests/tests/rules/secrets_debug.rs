//! No type that holds a secret shows a byte of it, and none can be cloned, printed or serialised.

use dualseal::field::{Fp521, Gf2_256};
use dualseal::hash::{HmacKey, HmacSha3_256, HmacSha3_512, Sha3_256, Sha3_512};
use dualseal::key::{AnyRing, CheckedRing, RingFile, Unprepared};
use dualseal::krunica::JsonLines;
use dualseal::seal::{SealKey, SealVerifier};
use dualseal::secret::Secret;
use dualseal::shamir::DrawnSecret;
use dualseal::vault::VaultVerifier;
use dualseal::{
    Domain, Error, ExpandedSigningKey, KeyPairInfo, KeyRing, KeyState, PublicKeyPairInfo, PublicResult, PublicRing,
    RingKey, Signer, SigningKey, SystemRng, VerificationResult, Verifier,
};
use dualseal_operator::disk::{Disk, Hold};
use dualseal_operator::secrets::{ErasureKey, Master, MasterSource, Passphrase, Place, Rotation, SecretFile, Vaulted};
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, record, with_member};
use std::fmt::Debug;
use std::path::Path;
use std::time::Duration;
use zeroize::Zeroizing;

/// Every spelling in which two or more neighbouring bytes of the secret could show.
fn shows(text: &str, secret: &[u8]) -> bool {
    let text = text.to_lowercase();
    secret.windows(2).any(|pair| {
        let [a, b] = pair else { return false };
        let spellings = [
            format!("{a:02x}{b:02x}"),
            format!("{a}, {b}"),
            format!("{a:02x}, {b:02x}"),
            format!("0x{a:02x}"),
            format!("\\x{a:02x}"),
            format!("{a}\n"),
        ];
        spellings.iter().any(|spelling| text.contains(spelling))
    })
}

fn debug(value: &dyn Debug) -> String {
    format!("{value:?} {value:#?}")
}

/// Bytes that no hash or name in these texts happens to contain: 0xb7, 183.
const SECRET: [u8; 32] = [0xb7; 32];

#[test]
fn the_search_finds_what_shows() {
    for text in [debug(&SECRET), debug(&hex::encode(SECRET)), format!("{SECRET:02x?}"), "\\xB7".to_string()] {
        assert!(shows(&text, &SECRET), "{text}");
    }
    assert!(!shows("Secret<32>([redacted])", &SECRET));
}

#[test]
fn debug_shows_no_byte() {
    let (domain, ana) = (Domain::default(), identity("ana"));
    let key = SigningKey::from_seed(&SECRET).unwrap();
    let expanded = key.expand();
    let mut mac = HmacSha3_512::new(&SECRET);
    mac.update(&SECRET);
    let secret = |bytes: &[u8]| Secret::<32>::from_slice("secret", bytes).unwrap();
    let texts = [
        debug(&secret(&SECRET)),
        debug(&Secret::<64>::from_slice("secret", &[0xb7; 64]).unwrap()),
        debug(&key),
        debug(&expanded),
        debug(&RingKey::new(&domain, secret(&SECRET))),
        debug(&mac),
        debug(&HmacSha3_256::new(&SECRET)),
        debug(&Signer::new(&domain, &ana, &key)),
        debug(&Some(&key)),
    ];
    let master = || Master::new(&domain, secret(&SECRET)).unwrap();
    let erasure = ErasureKey::draw(&domain, &mut SystemRng).unwrap();
    let place = Place::new("table", b"row", "purpose").unwrap();
    let row = Vaulted::seal(&master(), place, &SECRET, &mut SystemRng).unwrap();
    let pem = master().to_pem(None, &mut SystemRng).unwrap();
    let asked = || Passphrase::new(|| Ok(Zeroizing::new(hex::encode(SECRET))));
    let at_rest = [
        debug(&master()),
        debug(&row),
        debug(&Rotation::new(&master(), &Master::draw(&domain, &mut SystemRng).unwrap())),
        debug(&SecretFile::parse(pem.as_bytes()).unwrap()),
        debug(&asked()),
        debug(&MasterSource::passphrase(pem.as_bytes(), asked())),
        debug(&MasterSource::callback(|| Ok(Secret::from_slice("master", &SECRET)?))),
    ];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("secrets-debug");
    std::fs::create_dir_all(&folder).unwrap();
    let lock = Disk::new().lock(&folder, Hold::Exclusive, Duration::ZERO).unwrap();
    let mut change = lock.change().unwrap();
    change.append("records", 0, &SECRET).unwrap();
    let text = debug(&change);
    assert!(text.contains("records") && !shows(&text, &SECRET), "{text}");
    for text in at_rest {
        assert!(!shows(&text, &SECRET) && !text.contains(&pem[30..60]), "{text}");
    }
    assert_eq!(format!("{erasure:?}"), "ErasureKey([redacted])");
    for text in texts {
        assert!(!shows(&text, &SECRET), "{text}");
    }
    for text in [debug(&key), debug(&expanded), debug(&Signer::new(&domain, &ana, &key))] {
        let bytes = expanded.to_bytes();
        // K and the coefficients; rho and tr are public.
        assert!(!shows(&text, &bytes.expose()[32..64]), "{text}");
        assert!(text.contains(&key.public_key().hash().to_hex()), "{text}");
    }
}

/// The state of a hash function over a secret is as good as the secret.
#[test]
fn debug_shows_no_state() {
    let mut short = Sha3_256::default();
    dualseal::hash::HashFunction::update(&mut short, &SECRET);
    assert_eq!(debug(&short), "Sha3_256([redacted]) Sha3_256([redacted])");
    assert_eq!(debug(&Sha3_512::default()), "Sha3_512([redacted]) Sha3_512([redacted])");
    assert_eq!(format!("{:?}", HmacSha3_512::new(&SECRET)), "Hmac([redacted])");
    assert_eq!(format!("{:?}", HmacKey::<Sha3_512>::new(&SECRET)), "HmacKey([redacted])");
}

/// What is inspected line by line may be shares, and a line may end in the next block.
#[test]
fn debug_shows_no_unfinished_line() {
    let mut lines = JsonLines::new();
    lines.push(&SECRET, |_| Ok(())).unwrap();
    assert!(!shows(&debug(&lines), &SECRET), "{lines:?}");
}

/// A log that names the traps is read by whoever may read logs: neither how many decoys there are nor which key is one
/// shows, in a ring or in a verifier over it.
#[test]
fn debug_shows_no_decoy() {
    let texts = |state: KeyState, decoys: &[u8]| {
        let (mut registry, ana) = (Registry::new(), identity("ana"));
        registry.add(&ana, key(1).public_key());
        registry.set_state(&ana, None, state);
        for number in decoys {
            registry.add_decoy(&ana, key(*number).public_key());
        }
        let (domain, ring): (_, &KeyRing) = (&registry.domain, &registry.ring);
        [
            debug(ring),
            debug(&Verifier::new(domain, ring, &Unprepared)),
            debug(&SealVerifier::new(domain, ring, &Unprepared)),
            debug(&VaultVerifier::new(domain, ring, &Unprepared)),
        ]
    };
    let plain = texts(KeyState::Valid, &[]);
    assert_eq!(texts(KeyState::Decoy, &[]), plain);
    assert_eq!(texts(KeyState::Valid, &[4, 5, 6]), plain);
}

#[test]
fn errors_show_no_byte() {
    let text = hex::encode(SECRET);
    let errors: [Error; 5] = [
        dualseal::encoding::hex::decode_secret::<32>("key", &text.to_uppercase()).unwrap_err(),
        dualseal::encoding::hex::decode_secret::<31>("key", &text).unwrap_err(),
        SigningKey::from_seed(&SECRET[1..]).unwrap_err(),
        ExpandedSigningKey::from_slice(&[0xb7; 4032]).unwrap_err(),
        SigningKey::from_pkcs8_der(&SECRET).unwrap_err(),
    ];
    for error in errors {
        assert!(!shows(&format!("{error} {error:?}"), &SECRET), "{error:?}");
    }
    // Where a bad digit stands in a secret would tell of the digits before it.
    let upper = dualseal::encoding::hex::decode_secret::<32>("key", &text.to_uppercase()).unwrap_err();
    assert!(matches!(upper, Error::Malformed(error) if error.index.is_none()));
}

/// Compiles to `true` exactly where the type has the trait: the inherent constant is preferred where its bound holds.
macro_rules! has {
    ($type:ty: $($bound:tt)+) => {{
        #[allow(dead_code, reason = "used where the bound does not hold")]
        trait Absent {
            const HAS: bool = false;
        }
        impl<T: ?Sized> Absent for T {}
        struct Probe<T: ?Sized>(std::marker::PhantomData<T>);
        #[allow(dead_code, reason = "used where the bound holds")]
        impl<T: ?Sized + $($bound)+> Probe<T> {
            const HAS: bool = true;
        }
        <Probe<$type>>::HAS
    }};
}

macro_rules! holds_a_secret {
    ($($type:ty),+) => {
        $(
            assert!(!has!($type: Clone), "{} is Clone", stringify!($type));
            assert!(!has!($type: std::fmt::Display), "{} is Display", stringify!($type));
            assert!(!has!($type: serde::Serialize), "{} is Serialize", stringify!($type));
            assert!(!has!($type: serde::de::DeserializeOwned), "{} is Deserialize", stringify!($type));
            assert!(!has!($type: PartialEq), "{} is compared in variable time", stringify!($type));
            assert!(has!($type: std::fmt::Debug), "{} has no redacted Debug", stringify!($type));
        )+
    };
}

/// What the operator is told names decoys: it goes out only where somebody asked for its JSON, and not along with
/// whatever holds it.
#[test]
fn what_tells_decoys_is_not_serialised_unasked() {
    assert!(has!(PublicResult: serde::Serialize) && has!(PublicResult: serde::de::DeserializeOwned));
    assert!(!has!(VerificationResult: serde::Serialize) && !has!(VerificationResult: serde::de::DeserializeOwned));
    assert!(has!(PublicKeyPairInfo: serde::Serialize) && has!(PublicKeyPairInfo: serde::de::DeserializeOwned));
    assert!(!has!(KeyPairInfo: serde::Serialize) && !has!(KeyPairInfo: serde::de::DeserializeOwned));
    assert!(has!(PublicRing: serde::Serialize) && has!(PublicRing: serde::de::DeserializeOwned));
    assert!(!has!(CheckedRing: serde::Serialize) && !has!(RingFile: serde::Serialize));
    assert!(!has!(KeyRing: serde::Serialize) && !has!(AnyRing: serde::Serialize));
    let (mut registry, ana) = (Registry::new(), identity("ana"));
    registry.add_decoy(&ana, key(1).public_key());
    let content = registry.domain.content_hash(&ana, b"content");
    let verifier = Verifier::new(&registry.domain, &registry.ring, &Unprepared);
    let verdict = verifier.verify(&content, record(&ana, &key(1), b"content"), None);
    let (internal, public) = (verdict.internal(), verdict.public());
    assert_eq!(internal.state, Some(KeyState::Decoy));
    assert!(PublicResult::from_json(internal.to_json().as_bytes()).is_err(), "nor is it taken for the public one");
    assert_eq!(PublicResult::from_json(public.to_json().as_bytes()), Ok(public.clone()));
    registry.add(&ana, key(2).public_key());
    registry.set_state(&ana, None, KeyState::Decoy);
    let info = registry.ring.info(&ana).unwrap();
    assert_eq!(info.state, KeyState::Decoy);
    assert!(PublicKeyPairInfo::from_json(info.to_json().as_bytes()).is_err(), "nor is it taken for the public one");
    assert_eq!(PublicKeyPairInfo::from_json(info.public().to_json().as_bytes()), Ok(info.public()));
    for reason in ["decoy", "revoked", "unknown identity", ""] {
        let told = with_member(&public.to_json(), "razlog", reason.into());
        assert!(PublicResult::from_json(told.as_bytes()).is_err(), "{reason}");
    }
}

/// A secret that is shared was drawn here: from bytes, a text or a password there is none, because its anchor, which is
/// public, would let anybody try.
#[test]
fn no_secret_that_is_shared_comes_from_elsewhere() {
    macro_rules! is_drawn {
        ($($field:ty),+) => {
            $(
                let from = [
                    has!(DrawnSecret<$field>: From<[u8; 32]>),
                    has!(DrawnSecret<$field>: From<[u8; 66]>),
                    has!(DrawnSecret<$field>: for<'a> From<&'a [u8]>),
                    has!(DrawnSecret<$field>: for<'a> TryFrom<&'a [u8]>),
                    has!(DrawnSecret<$field>: From<Vec<u8>>),
                    has!(DrawnSecret<$field>: From<Secret<32>>),
                    has!(DrawnSecret<$field>: for<'a> From<&'a str>),
                    has!(DrawnSecret<$field>: std::str::FromStr),
                    has!(DrawnSecret<$field>: From<$field>),
                    has!(DrawnSecret<$field>: Default),
                    has!(DrawnSecret<$field>: serde::de::DeserializeOwned),
                ];
                assert_eq!(from, [false; 11], "{}", stringify!($field));
            )+
        };
    }
    is_drawn!(Fp521, Gf2_256);
}

#[test]
fn secrets_are_not_copied_printed_or_serialised() {
    assert!(has!(String: Clone) && !has!(std::fs::File: Clone), "the probe works");
    assert!(has!(dualseal::SignatureRecord: serde::Serialize), "the feature is on");
    holds_a_secret!(Secret<32>, SigningKey, ExpandedSigningKey, RingKey, HmacSha3_256, HmacSha3_512);
    holds_a_secret!(HmacKey<Sha3_256>, HmacKey<Sha3_512>, SealKey);
    holds_a_secret!(Master, ErasureKey, SecretFile, Passphrase<'static>, MasterSource<'static>);
    assert!(has!(Secret<32>: zeroize::ZeroizeOnDrop));
}
