//! Croatian.

use super::Words;

pub(super) static WORDS: Words = Words {
    titles: ["Dokaz o putu", "Dokaz o potpisu", "Dokaz o prisutnosti", "Dokaz o svjedocima"],
    number: "Broj",
    made: "Sastavljeno",
    what_is_shown: "Što je dokazano",
    what_is_not: "Što nije dokazano",
    hashes: "Identiteti, ključevi i sažeci",
    check: "Kako se provjerava",
    attached: "Prilozi",
    page: ["Stranica", "od"],

    filed: |count, vehicle, [from, to], log| {
        let records = if count % 10 == 1 && count % 100 != 11 { "zapis" } else { "zapisa" };
        format!(
            "Od {from} do {to} vozač čiji je identitet naveden niže podnio je {count} {records} o pregledima i \
             prelascima granice vozila {vehicle} i nijedan drugi. Svaki je zapis potpisan i ima svoje mjesto u \
             dnevniku {log}."
        )
    },
    entered: |states| format!("Prema tim je zapisima vozilo redom ušlo u države: {states}."),
    not_filed: "Vremena u stupcu „Vrijeme” naveo je vozač; „Zaprimljeno” je vrijeme po satu usluge. Ono što nije \
                podneseno ovdje se ne vidi.",
    journey: ["Br.", "Događaj", "Iz", "U", "Vrijeme (UTC)", "Zaprimljeno (UTC)", "Upis"],
    inspection: "Pregled",
    crossing: "Granica",

    signed: |algorithm, time| {
        format!(
            "Identitet koji je naveden niže potpisao je postupkom {algorithm} sadržaj čiji je sažetak naveden niže. \
             Kao vrijeme potpisani zapis navodi: {time}."
        )
    },
    holds: |time, size, log| {
        format!(
            "Potpis je provjeren prema dnevniku {log} sa stanjem od {size} upisa i valjan je. Vrijeme provjere: {time}."
        )
    },
    only_the_hash: "Koji dokument ima taj sažetak, pokazuje onaj tko dokument ima. Je li istina ono što u njemu piše, \
                    ovdje nije dokazano.",

    answered: |drawn, came| {
        format!(
            "Usluga je za identitet koji je naveden niže izvukla slučajan izazov {drawn}, a odgovor autentifikatora \
             koji je upisan za taj identitet zaprimila je {came}."
        )
    },
    verified_user: [
        "Autentifikator je ključ Ed25519. Je li provjerio svojega korisnika, nije dokazano.",
        "Autentifikator je prije odgovora provjerio svojega korisnika (WebAuthn, provjera korisnika).",
    ],
    enrolled: |seq| format!("Njegovo je uvođenje upis broj {seq} u dnevniku."),
    only_presence: "Tko je imao autentifikator pri ruci, nije dokazano: to zna onaj tko ga je uveo. Vremena su po satu \
                    usluge.",

    saw: |count, log, size| {
        let witnesses = match (count % 10, count % 100) {
            (1, rest) if rest != 11 => "svjedok vidio je",
            (2..=4, rest) if !(12..=14).contains(&rest) => "svjedoka vidjela su",
            _ => "svjedoka vidjelo je",
        };
        format!("{count} {witnesses} isto stanje dnevnika {log}: {size} upisa, s korijenom koji je naveden niže.")
    },
    only_growth: "Svjedok potvrđuje da je dnevnik samo rastao, a ne da je istina ono što u njemu piše. Vremena su po \
                  satovima svjedoka.",
    witnesses: ["Br.", "Svjedok", "Viđeno (UTC)"],

    by_service: |seq, size, time| {
        format!(
            "Ovaj je dokaz potpisala usluga. Njegov upis u dnevniku ima broj {seq}, a pokriva ga kontrolna točka od \
             {size} upisa. Vrijeme kontrolne točke: {time}."
        )
    },

    identity: "Identitet",
    signer_of_proof: "Potpisnik ovog dokaza",
    content: "Sažetak sadržaja",
    key_of_signer: "Ključ potpisnika",
    log: "LOG: otisak dnevnika",
    key: "KEY: ključ ovog dokaza",
    entry: "Upis ovog dokaza",
    key_of_records: "KEY: ključ zapisa",
    root: "Korijen dnevnika",
    key_of_witness: |name| format!("Ključ: {name}"),

    steps: [
        "Izvadite priloge:",
        "Provjerite ih, s vrijednošću LOG i svakom vrijednošću KEY kako su navedene gore:",
        "Ispišite iz njih ovu stranicu ponovno: svaki je bajt jednak.",
    ],
    folder: "mapa",
    from_elsewhere: "Otisak dnevnika treba usporediti s onim koji je došao drugim putem: iz javne objave operatera, a \
                     ne s ove stranice.",
    code: "Upis ovog dokaza u javnom dnevniku",
    attachments: ["tekst koji je potpisan", "njegov dokaz", "zapisi", "dokazi zapisa"],
};
