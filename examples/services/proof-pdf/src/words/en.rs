//! English.

use super::Words;

pub(super) static WORDS: Words = Words {
    titles: ["Proof of a journey", "Proof of a signature", "Proof of presence", "Proof of witnesses"],
    number: "Number",
    made: "Made",
    what_is_shown: "What is shown",
    what_is_not: "What is not shown",
    hashes: "Identities, keys and hashes",
    check: "How to verify it",
    attached: "Attached",
    page: ["Page", "of"],

    filed: |count, vehicle, [from, to], log| {
        let records = if count == 1 { "one record" } else { &format!("{count} records") };
        format!(
            "From {from} to {to} the driver whose identity stands below filed {records} of inspections \
             and border crossings of the vehicle {vehicle}, and no other. Each is signed and has its place in the log \
             {log}."
        )
    },
    entered: |states| format!("By these records the vehicle entered, in this order: {states}."),
    not_filed: "The times in the column “Time” are those that the driver gave; “Received” is by the clock of the \
                service. What was not filed is not to be seen here.",
    journey: ["No.", "Event", "From", "To", "Time (UTC)", "Received (UTC)", "Entry"],
    inspection: "Inspection",
    crossing: "Border",

    signed: |algorithm, time| {
        format!(
            "The identity that is named below signed, by {algorithm}, the content whose hash is given below. The \
             signed record gives {time} as its time."
        )
    },
    holds: |time, size, log| {
        format!("The signature was verified on {time}, against the log {log} of {size} entries, and holds.")
    },
    only_the_hash: "Which document has this hash is shown by whoever has the document. Whether what it says is true \
                    is not shown here.",

    answered: |drawn, came| {
        format!(
            "On {drawn} the service drew a challenge for the identity that is named below. On {came} the answer came \
             of an authenticator that is enrolled for this identity."
        )
    },
    verified_user: [
        "The authenticator is an Ed25519 key. Whether it verified its user is not shown.",
        "The authenticator verified its user before it answered (WebAuthn, user verification).",
    ],
    enrolled: |seq| format!("Its enrolment is entry {seq} of the log."),
    only_presence: "Who had the authenticator at hand is not shown: whoever enrolled it knows. The times are by the \
                    clock of the service.",

    saw: |count, log, size| {
        let witnesses = if count == 1 { "One witness" } else { &format!("{count} witnesses") };
        format!("{witnesses} saw the same state of the log {log}: {size} entries, with the root that is given below.")
    },
    only_growth: "A witness says that the log only grew, and not that what stands in it is true. The times are by the \
                  clocks of the witnesses.",
    witnesses: ["No.", "Witness", "Seen (UTC)"],

    by_service: |seq, size, time| {
        format!(
            "This proof is signed by the service. Its entry in the log has the number {seq}; a checkpoint of {size} \
             entries covers it, which was signed on {time}."
        )
    },

    identity: "Identity",
    signer_of_proof: "Signer of this proof",
    content: "Content hash",
    key_of_signer: "Key of the signer",
    log: "LOG: fingerprint of the log",
    key: "KEY: key of this proof",
    entry: "Entry of this proof",
    key_of_records: "KEY: key of the records",
    root: "Root of the log",
    key_of_witness: |name| format!("Key of {name}"),

    steps: [
        "Take the attachments out:",
        "Verify them, with LOG and each KEY as given above:",
        "Print this page anew from them: every byte is the same.",
    ],
    folder: "folder",
    from_elsewhere: "The fingerprint of the log is to be compared with one that came another way: from the operator’s \
                     public notice, and not from this page.",
    code: "The entry of this proof in the public log",
    attachments: ["the text that is signed", "its evidence", "records", "evidence of the records"],
};
