//! Secret files, as PEM and as what stands in it: what is not encrypted has one spelling, and nothing costs what a file
//! makes up.
#![no_main]

use dualseal::SystemRng;
use dualseal_operator::secrets::{PemFault, SecretFile, SecretKind, key_to_pem, seed_to_pem};
use libfuzzer_sys::fuzz_target;
use pkcs8::LineEnding;
use pkcs8::der::pem;

const LABELS: [&str; 4] = ["PRIVATE KEY", "DUALSEAL SECRET", "ENCRYPTED PRIVATE KEY", "ENCRYPTED DUALSEAL SECRET"];

fuzz_target!(|input: &[u8]| {
    read(input);
    if let Some((which, der)) = input.split_first() {
        let label = LABELS[usize::from(*which) % LABELS.len()];
        read(pem::encode_string(label, LineEnding::LF, der).expect("PEM").as_bytes());
    }
});

fn read(text: &[u8]) {
    let Ok(file) = SecretFile::parse(text) else {
        return;
    };
    // What is encrypted may cost seconds, but tells that it is before.
    if file.is_protected() {
        assert!(file.seed(None).is_err());
        assert!(file.signing_key(None).is_err());
        return;
    }
    let again = match file.kind() {
        SecretKind::Seed => {
            assert!(matches!(file.signing_key(None), Err(PemFault::OtherKind { .. })));
            seed_to_pem(&file.seed(None).expect("it was parsed"), None, &mut SystemRng)
        }
        SecretKind::SigningKey => match file.signing_key(None) {
            Ok(key) => key_to_pem(&key, None, &mut SystemRng),
            Err(_) => return,
        },
    };
    // PEM itself has several spellings, in its line ends; what it encodes has one.
    let again = again.expect("written");
    let body = |text: &[u8]| pem::decode_vec(text).map(|(label, der)| (label.to_owned(), der)).expect("PEM");
    assert_eq!(body(again.as_bytes()), body(text));
}
