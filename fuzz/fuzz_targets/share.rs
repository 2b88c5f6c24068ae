//! A share that is read is written again as the same share. No share that anybody makes up is present in a session, and
//! it signs nothing. Whatever a custodian answers is a share of his own number.
#![no_main]

use dualseal::shamir::Index;
use dualseal::threshold::{Acknowledgement, Founding, Session, SessionShare};
use dualseal::{Domain, Head, SystemRng, Timestamp};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

fn session() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(|| {
        let domain = Domain::default();
        let owners = [b"a", b"b", b"c"].map(|name| domain.legacy_identity_id(name, "", ""));
        let founding = Founding {
            domain: &domain,
            founder: &owners[0],
            owners: &owners,
            k: 2,
            head: &Head::EMPTY,
            time: Timestamp::MIN,
        };
        founding.hmac(&mut SystemRng).expect("good numbers").session
    })
}

fuzz_target!(|text: &[u8]| {
    if let Ok(share) = SessionShare::from_json(text) {
        let written = share.to_json();
        let again = SessionShare::from_json(written.as_bytes()).expect("a share's own JSON");
        assert_eq!(*again.to_json(), *written);
        assert!(written.contains(&*share.value_hex()));
        let health = session().health(&Domain::default(), &[share, again]);
        assert!(health.present.is_empty());
    }
    if let Ok(said) = Acknowledgement::from_json(text) {
        assert_eq!(Acknowledgement::from_json(said.to_json().as_bytes()), Ok(said));
    }
    let (of, owner) = (session(), Domain::default().legacy_identity_id(b"b", "", ""));
    let asked = Index::new(2).expect("from 1");
    let pulled = SessionShare::pulled(*of.session_id(), *of.split_id(), owner, asked, text);
    assert_eq!(pulled.index(), asked);
    let health = of.health(&Domain::default(), &[pulled]);
    assert_eq!((&health.invalid[..], health.present.is_empty()), (&[asked][..], true));
});
