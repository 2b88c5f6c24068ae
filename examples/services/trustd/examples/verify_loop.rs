//! What verifying costs without HTTP: the request that `bench services` sends, its record verified in a loop for so
//! many seconds. Prints how often; what the processor did for it is asked by whoever starts this.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dualseal::key::PreparedKeyCache;
use dualseal::{Domain, IdentityId, KeyRing, SignatureRecord, VerdictKind, Verifier};
use serde_json::value::RawValue;
use std::io::Read as _;
use std::time::{Duration, Instant};

#[derive(serde::Deserialize)]
struct Asked {
    record: Box<RawValue>,
    identity_id: String,
    content_b64: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: u64 = std::env::args().nth(1).ok_or("verify_loop SECONDS < REQUEST")?.parse()?;
    let mut request = String::new();
    std::io::stdin().read_to_string(&mut request)?;
    let asked: Asked = serde_json::from_str(&request)?;
    let (record, content) = (asked.record.get().as_bytes(), STANDARD.decode(&asked.content_b64)?);
    let (domain, keys) = (Domain::new("TRUST")?, PreparedKeyCache::default());
    let identity: IdentityId = asked.identity_id.parse()?;
    let ring = KeyRing::pinned(&identity, SignatureRecord::from_json(record)?.public_key().clone());
    let verifier = Verifier::new(&domain, &ring, &keys);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut count = 0_u32;
    while Instant::now() < end {
        let content = domain.content_hash(&identity, &content);
        let verdict = verifier.verify(&content, SignatureRecord::from_json(record)?, None);
        if verdict.kind() != VerdictKind::Valid {
            return Err("the record of the request is not valid".into());
        }
        count += 1;
    }
    println!("{count}");
    Ok(())
}
