//! The records as files: what anybody may have in one folder, what the operator keeps in another.

use crate::report::Case;
use crate::story::{CONTENT, CREATOR, Made, Operator};
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::hex::encode_secret;
use dualseal::encoding::json::Value;
use dualseal_examples::Fallible;
use dualseal_examples::files::{Readers, new_folder, write_new};
use std::path::Path;

/// Writes everything below a folder that holds no earlier run.
pub(crate) fn write(
    folder: &Path,
    operator: &Operator,
    made: &Made,
    checkpoint: &Checkpoint,
    cases: &[Case],
) -> Fallible<()> {
    let (public, private) = (folder.join("public"), folder.join("operator"));
    new_folder(&public)?;
    new_folder(&private)?;
    let info = operator.ring.info(&operator.identity_id).ok_or("the ring lost its key")?;
    for (name, text) in [
        ("identity.json", identity(operator)?),
        ("keypair.json", info.public().to_json()),
        ("record.json", made.record.to_json()),
        ("seal.txt", made.seal.to_string()),
        ("chain.json", operator.chain.to_json()),
        ("checkpoint.json", checkpoint.to_json()),
        ("ring.json", operator.ring.public().to_json()),
        ("results.json", results(cases, false)?),
    ] {
        write_new(&public.join(name), &format!("{text}\n"), Readers::All)?;
    }
    for (name, text) in [
        ("ring.json", &operator.ring_file()?),
        ("ring-key.hex", &*encode_secret(operator.ring_key.secret())),
        ("seed.hex", &*encode_secret(operator.key.seed())),
        ("seal-master.hex", &*encode_secret(&operator.seal_master)),
        ("results.json", &results(cases, true)?),
    ] {
        write_new(&private.join(name), &format!("{text}\n"), Readers::Owner)?;
    }
    Ok(())
}

fn identity(operator: &Operator) -> Fallible<String> {
    let members = [
        ("domain", operator.domain_name),
        ("content", CONTENT),
        ("creator", CREATOR),
        ("context", &operator.context),
        ("identity_id", &operator.identity_id.to_hex()),
    ];
    let members = members.map(|(name, text)| (name.to_owned(), Value::String(text.to_owned())));
    Ok(Value::Object(members.into()).to_canonical()?)
}

fn results(cases: &[Case], internal: bool) -> Fallible<String> {
    let mut items = Vec::new();
    for case in cases {
        let result = if internal { case.internal.to_json() } else { case.public.to_json() };
        let members = [
            ("case", Value::String(case.name.to_owned())),
            // Which frauds were found out is the operator's to know: outsiders see a decoy pass.
            ("kind", if internal { Value::String(case.kind.as_str().to_owned()) } else { Value::Null }),
            ("result", Value::parse(result.as_bytes())?),
        ];
        let members = members.into_iter().filter(|(_, value)| *value != Value::Null);
        items.push(Value::Object(members.map(|(name, value)| (name.to_owned(), value)).collect()));
    }
    Ok(Value::Array(items).to_canonical()?)
}
