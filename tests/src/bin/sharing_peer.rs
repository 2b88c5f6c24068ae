//! Does with the library what another implementation asks for, so that the two can be compared: one command a line on
//! the standard input, one line of answer for each. A refusal is `error`, the error's number, and the culprits.
//!
//! ```text
//! arithmetic FIELD A B                          sum difference product
//! split FIELD K N                               secret index-value…
//! combine FIELD K index-value…                  secret unchecked|checked outliers
//! ssss-split K N                                secret text…
//! ssss-combine K text…                          secret unchecked|checked outliers
//! deal DOMAIN FIELD K N                         secret json index-value…
//! reconstruct DOMAIN FIELD JSON index-value…    secret culprits
//! seal DOMAIN IDENTITY TYPE SECRET PAYLOAD      stored
//! open DOMAIN IDENTITY TYPE SECRET STORED       payload
//! keep DOMAIN TABLE ROW PURPOSE MASTER SECRET   stored
//! kept DOMAIN TABLE ROW PURPOSE MASTER STORED   secret, or `refused` and why
//! file PASSPHRASE SECRET                        text
//! file-of PASSPHRASE TEXT                       secret, or `refused` and why
//! verify KEY MESSAGE SIGNATURE                  `true` or `false`
//! ```
//!
//! FIELD is `prime` or `binary`. Values, rows, secrets, payloads and texts are hexadecimal; lists are joined by commas;
//! `-` stands for nothing.

use dualseal::error::{Error, Rejected};
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::secret::Secret;
use dualseal::shamir::{
    Dealing, DrawnSecret, Index, Share, Threshold, Unattested, reconstruct, reconstruct_unanchored, ssss,
};
use dualseal::stream::{self, Purpose};
use dualseal::{Domain, PublicKey, Signature, SystemRng};
use dualseal_operator::secrets::{Master, Place, SecretFile, Vaulted, seed_to_pem};
use dualseal_tests::primitive;
use dualseal_tests::sharing::element;
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let answer = answer(&words).unwrap_or_else(|error| refusal(&error));
        writeln!(out, "{answer}")?;
    }
    out.flush()
}

fn refusal(error: &Error) -> String {
    let culprits = match error {
        Error::Rejected(Rejected::Sharing(fault)) => joined(&fault.culprits),
        _ => "-".to_string(),
    };
    format!("error {} {culprits}", error.code())
}

fn answer(words: &[&str]) -> Result<String, Error> {
    match words {
        [command, "prime", rest @ ..] => on_field::<Fp521>(command, rest),
        [command, "binary", rest @ ..] => on_field::<Gf2_256>(command, rest),
        [command, domain, "prime", rest @ ..] => with_record::<Fp521>(command, domain, rest),
        [command, domain, "binary", rest @ ..] => with_record::<Gf2_256>(command, domain, rest),
        ["ssss-split", k, n] => {
            let threshold = threshold(k, n)?;
            let secret = DrawnSecret::draw(&mut SystemRng)?;
            let shares = secret.split(threshold, &mut SystemRng)?;
            let texts: Vec<_> = shares.iter().map(|share| ssss::to_text(share, threshold).to_string()).collect();
            Ok(format!("{} {}", hex::encode(secret.to_bytes()), texts.join(" ")))
        }
        ["ssss-combine", k, texts @ ..] => {
            let shares = texts.iter().map(|text| ssss::from_text(text, number(k))).collect::<Result<Vec<_>, _>>()?;
            reconstruct_unanchored(number(k), &shares).map(|found| unattested(&found))
        }
        [command @ ("seal" | "open"), domain, identity_id, kind, secret, data] => {
            let identity_id = bytes(identity_id).try_into().expect("32 bytes");
            let purpose = Purpose::new(&Domain::new(domain)?, &identity_id, kind)?;
            let (secret, data) = (Secret::<32>::from_slice("secret", &bytes(secret))?, bytes(data));
            let answer = match *command {
                "seal" => stream::seal(&secret, &purpose, &data, &mut SystemRng)?,
                _ => stream::open(&secret, &purpose, &data)?.to_vec(),
            };
            Ok(if answer.is_empty() { "-".to_string() } else { hex::encode(answer) })
        }
        [command @ ("keep" | "kept"), domain, table, row, purpose, master, data] => {
            let master = Master::new(&Domain::new(domain)?, Secret::from_slice("master", &bytes(master))?)?;
            let place = Place::new(table, &bytes(row), purpose)?;
            let answer = match *command {
                "keep" => Vaulted::seal(&master, place, &bytes(data), &mut SystemRng).map(Vaulted::into_stored),
                _ => Vaulted::read(place, bytes(data)).and_then(|row| Ok(row.open(&master)?.to_vec())),
            };
            Ok(told(answer))
        }
        [command @ ("file" | "file-of"), passphrase, data] => {
            let passphrase = Some(*passphrase).filter(|passphrase| *passphrase != "-");
            let answer = match *command {
                "file" => {
                    let secret = Secret::from_slice("secret", &bytes(data))?;
                    seed_to_pem(&secret, passphrase, &mut SystemRng).map(|text| text.as_bytes().to_vec())
                }
                _ => SecretFile::parse(&bytes(data))
                    .and_then(|file| file.seed(passphrase))
                    .map(|secret| secret.expose().to_vec()),
            };
            Ok(told(answer))
        }
        ["verify", key, message, signature] => {
            let (key, signature) = (PublicKey::from_hex(key)?, Signature::from_slice(&bytes(signature))?);
            let mu = primitive::mu(&key, b"", &bytes(message)).expect("an empty context");
            Ok(primitive::by_core(&key, &mu, &signature).to_string())
        }
        _ => panic!("no such command: {words:?}"),
    }
}

/// Bytes, or the name of the fault without what it holds.
fn told<E: std::fmt::Debug>(answer: Result<Vec<u8>, E>) -> String {
    match answer {
        Ok(bytes) if bytes.is_empty() => "-".to_string(),
        Ok(bytes) => hex::encode(bytes),
        Err(fault) => {
            let fault = format!("{fault:?}");
            format!("refused {}", fault.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
        }
    }
}

fn on_field<F: Field>(command: &str, arguments: &[&str]) -> Result<String, Error> {
    match (command, arguments) {
        ("arithmetic", [left, right]) => {
            let (left, right) = (element::<F>(&bytes(left)), element::<F>(&bytes(right)));
            let [mut sum, mut difference] = [(); 2].map(|()| left.mul(&F::from_index(1)));
            sum.add_assign(&right);
            difference.sub_assign(&right);
            Ok([sum, difference, left.mul(&right)].map(|value| hex::encode(value.to_bytes().as_ref())).join(" "))
        }
        ("split", [k, n]) => {
            let secret = DrawnSecret::<F>::draw(&mut SystemRng)?;
            let shares = secret.split(threshold(k, n)?, &mut SystemRng)?;
            Ok(format!("{} {}", hex::encode(secret.to_bytes().as_ref()), texts(&shares)))
        }
        ("combine", [k, shares @ ..]) => {
            reconstruct_unanchored(number(k), &read::<F>(shares)?).map(|found| unattested(&found))
        }
        _ => panic!("no such command: {command}"),
    }
}

fn with_record<F: Field>(command: &str, domain: &str, arguments: &[&str]) -> Result<String, Error> {
    let domain = Domain::new(domain)?;
    match (command, arguments) {
        ("deal", [k, n]) => {
            let secret = DrawnSecret::<F>::draw(&mut SystemRng)?;
            let dealt = Dealing::deal(&domain, &secret, threshold(k, n)?, &mut SystemRng)?;
            let secret = hex::encode(secret.to_bytes().as_ref());
            Ok(format!("{secret} {} {}", dealt.dealing.to_json(), texts(&dealt.shares)))
        }
        ("reconstruct", [record, shares @ ..]) => {
            let dealing = Dealing::<F>::from_json(&domain, record.as_bytes())?;
            let rebuilt = reconstruct(&dealing, &read::<F>(shares)?)?;
            let secret = hex::encode(rebuilt.secret.to_bytes().as_ref());
            Ok(format!("{secret} {} {}", joined(&rebuilt.culprits), joined(&rebuilt.misdealt)))
        }
        _ => panic!("no such command: {command}"),
    }
}

fn unattested<F: Field>(found: &Unattested<F>) -> String {
    let checked = if found.unchecked() { "unchecked" } else { "checked" };
    format!("{} {checked} {}", hex::encode(found.to_bytes().as_ref()), joined(found.outliers()))
}

fn joined<T: ToString>(items: &[T]) -> String {
    if items.is_empty() { "-".to_string() } else { items.iter().map(T::to_string).collect::<Vec<_>>().join(",") }
}

fn texts<F: Field>(shares: &[Share<F>]) -> String {
    let text = |share: &Share<F>| format!("{}-{}", share.index(), *share.to_hex());
    shares.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn read<F: Field>(texts: &[&str]) -> Result<Vec<Share<F>>, Error> {
    let share = |text: &&str| {
        let (index, value) = text.split_once('-').expect("index-value");
        Share::from_hex(Index::new(number(index))?, value)
    };
    texts.iter().map(share).collect()
}

fn threshold(k: &str, n: &str) -> Result<Threshold, Error> {
    Threshold::new(number(k), number(n))
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

fn bytes(text: &str) -> Vec<u8> {
    if text == "-" { Vec::new() } else { hex::decode(text).expect("hexadecimal") }
}
