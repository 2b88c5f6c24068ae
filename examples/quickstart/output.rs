//! The records as files: what anybody may have in one folder, what the operator keeps in another.

use crate::story::{CONTENT, CREATOR, Told};
use dualseal::encoding::hex::encode_secret;
use dualseal::encoding::json::Value;
use dualseal_examples::Outcome;
use dualseal_examples::files::{Readers, new_folder, write_new};
use std::path::Path;

/// Writes everything below a folder that holds no earlier run.
pub(crate) fn write(folder: &Path, told: &Told) -> Outcome<()> {
    let (public, operator) = (folder.join("public"), folder.join("operator"));
    new_folder(&public)?;
    new_folder(&operator)?;
    let info = told.ring.info(&told.identity_id).ok_or("the ring lost its key")?;
    for (name, text) in [
        ("identity.json", identity(told)?),
        ("keypair.json", info.public().to_json()),
        ("record.json", told.record.to_json()),
        ("chain.json", told.chain.to_json()),
        ("ring.json", told.ring.public().to_json()?),
        ("results.json", results(told, false)?),
    ] {
        write_new(&public.join(name), &format!("{text}\n"), Readers::All)?;
    }
    for (name, text) in [
        ("ring.json", &told.ring.to_json()?),
        ("ring-key.hex", &*encode_secret(told.ring_key.secret())),
        ("seed.hex", &*encode_secret(told.key.seed())),
        ("results.json", &results(told, true)?),
    ] {
        write_new(&operator.join(name), &format!("{text}\n"), Readers::Owner)?;
    }
    Ok(())
}

fn identity(told: &Told) -> Outcome<String> {
    let members = [
        ("domain", told.domain_name),
        ("content", CONTENT),
        ("creator", CREATOR),
        ("context", &told.context),
        ("identity_id", &told.identity_id.to_hex()),
    ];
    let members = members.map(|(name, text)| (name.to_owned(), Value::String(text.to_owned())));
    Ok(Value::Object(members.into()).to_canonical()?)
}

fn results(told: &Told, internal: bool) -> Outcome<String> {
    let mut items = Vec::new();
    for case in &told.results {
        let result = if internal { &case.internal } else { &case.public };
        let members = [
            ("case", Value::String(case.name.to_owned())),
            // Which frauds were found out is the operator's to know: outsiders see a decoy pass.
            ("kind", if internal { Value::String(case.kind.as_str().to_owned()) } else { Value::Null }),
            ("result", Value::parse(result.to_json().as_bytes())?),
        ];
        let members = members.into_iter().filter(|(_, value)| *value != Value::Null);
        items.push(Value::Object(members.map(|(name, value)| (name.to_owned(), value)).collect()));
    }
    Ok(Value::Array(items).to_canonical()?)
}
