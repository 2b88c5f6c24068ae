//! German.

use super::Words;

pub(super) static WORDS: Words = Words {
    titles: ["Nachweis einer Fahrt", "Nachweis einer Signatur", "Nachweis der Anwesenheit", "Nachweis durch Zeugen"],
    number: "Nummer",
    made: "Erstellt",
    what_is_shown: "Was belegt ist",
    what_is_not: "Was nicht belegt ist",
    hashes: "Identitäten, Schlüssel und Prüfsummen",
    check: "So wird geprüft",
    attached: "Anlagen",
    page: ["Seite", "von"],

    filed: |count, vehicle, [from, to], log| {
        let records = if count == 1 { "eine Aufzeichnung" } else { &format!("{count} Aufzeichnungen") };
        format!(
            "Vom {from} bis zum {to} hat der Fahrer mit der unten genannten Identität {records} über Kontrollen \
             und Grenzübertritte des Fahrzeugs {vehicle} eingereicht und keine weitere. Jede ist signiert und hat \
             ihren Platz im Protokoll {log}."
        )
    },
    entered: |states| format!("Diesen Aufzeichnungen zufolge fuhr das Fahrzeug der Reihe nach ein in: {states}."),
    not_filed: "Die Zeiten in der Spalte „Zeit“ hat der Fahrer angegeben; „Eingegangen“ ist die Zeit nach der Uhr des \
                Dienstes. Was nicht eingereicht wurde, ist hier nicht zu sehen.",
    journey: ["Nr.", "Ereignis", "Aus", "Nach", "Zeit (UTC)", "Eingegangen (UTC)", "Eintrag"],
    inspection: "Kontrolle",
    crossing: "Grenze",

    signed: |algorithm, time| {
        format!(
            "Die unten genannte Identität hat mit {algorithm} den Inhalt signiert, dessen Prüfsumme unten steht. Der \
             signierte Eintrag gibt als Zeit den {time} an."
        )
    },
    holds: |time, size, log| {
        format!("Die Signatur wurde am {time} gegen das Protokoll {log} mit {size} Einträgen geprüft und ist gültig.")
    },
    only_the_hash: "Welches Dokument diese Prüfsumme hat, zeigt, wer das Dokument hat. Ob sein Inhalt zutrifft, ist \
                    hier nicht belegt.",

    answered: |drawn, came| {
        format!(
            "Am {drawn} hat der Dienst der unten genannten Identität eine zufällige Aufgabe gestellt. Am {came} ging \
             die Antwort eines Authentifikators ein, der für diese Identität eingetragen ist."
        )
    },
    verified_user: [
        "Der Authentifikator ist ein Ed25519-Schlüssel. Ob er seinen Benutzer geprüft hat, ist nicht belegt.",
        "Der Authentifikator hat vor der Antwort seinen Benutzer geprüft (WebAuthn, Benutzerprüfung).",
    ],
    enrolled: |seq| format!("Seine Eintragung ist der Eintrag {seq} des Protokolls."),
    only_presence: "Wer den Authentifikator zur Hand hatte, ist nicht belegt: Das weiß, wer ihn eingetragen hat. Die \
                    Zeiten sind nach der Uhr des Dienstes.",

    saw: |count, log, size| {
        let witnesses = if count == 1 { "Ein Zeuge hat" } else { &format!("{count} Zeugen haben") };
        format!(
            "{witnesses} denselben Stand des Protokolls {log} gesehen: {size} Einträge mit der unten genannten Wurzel."
        )
    },
    only_growth: "Ein Zeuge bestätigt, dass das Protokoll nur gewachsen ist, nicht dass zutrifft, was darin steht. \
                  Die Zeiten sind nach den Uhren der Zeugen.",
    witnesses: ["Nr.", "Zeuge", "Gesehen (UTC)"],

    by_service: |seq, size, time| {
        format!(
            "Diesen Nachweis hat der Dienst signiert. Sein Eintrag im Protokoll hat die Nummer {seq}; er liegt unter \
             einem Prüfpunkt über {size} Einträge, der am {time} signiert wurde."
        )
    },

    identity: "Identität",
    signer_of_proof: "Unterzeichner dieses Nachweises",
    content: "Prüfsumme des Inhalts",
    key_of_signer: "Schlüssel des Unterzeichners",
    log: "LOG: Protokoll-Fingerabdruck",
    key: "KEY: Schlüssel des Nachweises",
    entry: "Eintrag dieses Nachweises",
    key_of_records: "KEY: Schlüssel der Aufzeichnungen",
    root: "Wurzel des Protokolls",
    key_of_witness: |name| format!("Schlüssel von {name}"),

    steps: [
        "Anlagen herausnehmen:",
        "Anlagen prüfen, mit LOG und jedem KEY wie oben angegeben:",
        "Diese Seite daraus neu drucken: Jedes Byte ist gleich.",
    ],
    folder: "ordner",
    from_elsewhere: "Der Fingerabdruck des Protokolls ist mit einem zu vergleichen, der auf anderem Weg kam: aus der \
                     öffentlichen Bekanntmachung des Betreibers, nicht von dieser Seite.",
    code: "Der Eintrag dieses Nachweises im öffentlichen Protokoll",
    attachments: ["der signierte Text", "sein Beleg", "Aufzeichnungen", "Belege der Aufzeichnungen"],
};
