//! The wire's words in English: names of members and of values, as docs/GLOSSARY.md has them.

use dualseal::encoding::json::Value;

/// Members that the wire calls otherwise than English does.
const MEMBERS: [(&str, &str); 32] = [
    ("algoritam", "algorithm"),
    ("bela_stanje", "state"),
    ("domena", "domain"),
    ("generirano", "generated"),
    ("h", "hash"),
    ("indeks", "index"),
    ("javni_kljuc", "public_key"),
    ("javni_sidro", "anchor"),
    ("kreiran", "created_at"),
    ("nota", "note_key"),
    ("opozvan_od", "compromised_from"),
    ("ovjera", "mac"),
    ("ovlast", "authority"),
    ("poruka", "message"),
    ("potpis", "signature"),
    ("povijest", "history"),
    ("prethodni", "previous"),
    ("primatelj", "recipient"),
    ("razlog", "reason"),
    ("sadrzaj_hash", "content_hash"),
    ("sesija", "session"),
    ("stanje", "state"),
    ("svjedok_hash", "witness"),
    ("t", "time"),
    ("ts", "time"),
    ("udio_sidra", "anchors"),
    ("validan", "valid"),
    ("verzija", "version"),
    ("vlasnik", "owner"),
    ("vrijednost_hex", "value_hex"),
    ("vrsta", "kind"),
    ("w3", "identity_id"),
];

/// Values that are words of the wire.
const VALUES: [(&str, &str); 9] = [
    ("brisanje", "erasure"),
    ("istina", "valid"),
    ("kvorum", "quorum"),
    ("laz", "revoked"),
    ("nijedno", "suspended"),
    ("oboje", "decoy"),
    ("pecat", "seal"),
    ("potpis", "signature"),
    ("trezor", "vault"),
];

/// Members whose values are such words; anything else is a name, a text or a hash.
const OF_WORDS: [&str; 4] = ["bela_stanje", "povijest", "stanje", "vrsta"];

/// The value of a member with English names.
pub(crate) fn english(member: &str, value: &Value) -> Value {
    translated(value, OF_WORDS.contains(&member))
}

fn translated(value: &Value, is_word: bool) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(name, value)| (word(&MEMBERS, name), translated(value, OF_WORDS.contains(&name.as_str()))))
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.iter().map(|item| translated(item, is_word)).collect()),
        Value::String(text) if is_word => Value::String(word(&VALUES, text)),
        value => value.clone(),
    }
}

fn word(words: &[(&str, &str)], of: &str) -> String {
    let found = words.iter().find(|(wire, _)| *wire == of);
    found.map_or_else(|| of.to_owned(), |(_, english)| (*english).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The glossary knows each of them.
    #[test]
    fn the_words_are_the_glossarys() {
        let page = include_str!("../../docs/GLOSSARY.md");
        for (wire, _) in MEMBERS.iter().chain(&VALUES) {
            assert!(page.contains(&format!("`{wire}`")) || page.contains(&format!("| {wire} |")), "{wire}");
        }
    }

    #[test]
    fn words_are_translated_and_texts_are_not() {
        let wire = br#"{"bela_stanje":"laz","poruka":"laz","povijest":[[1,"istina"]],"validan":false}"#;
        let told = english("report", &Value::parse(wire).unwrap()).to_canonical().unwrap();
        assert_eq!(told, r#"{"history":[[1,"valid"]],"message":"laz","state":"revoked","valid":false}"#);
        let kind = |member| english(member, &Value::String("potpis".to_owned()));
        assert_eq!(kind("vrsta"), Value::String("signature".to_owned()));
        assert_eq!(kind("name"), Value::String("potpis".to_owned()));
    }
}
