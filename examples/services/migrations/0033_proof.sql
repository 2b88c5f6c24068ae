-- Proofs, and what people are asked who show that they are present. world: 0 real, 1 decoy.

-- content: the text that is signed, with its evidence and its salt; evidence: what shows it to a stranger, from when a
-- checkpoint covered it first, and never another. Both are encrypted, under a key of the proof's that is a secret under
-- its owner's erasure key. record: the signature; seal: the dual seal, with its own entry.
CREATE TABLE proofs (
    dokaz_id TEXT NOT NULL PRIMARY KEY,
    identity_id TEXT NOT NULL,
    world BIGINT NOT NULL,
    vrsta TEXT NOT NULL,
    created BIGINT NOT NULL,
    content BYTEA NOT NULL,
    evidence BYTEA,
    record TEXT NOT NULL,
    krunica TEXT NOT NULL,
    seq BIGINT NOT NULL,
    seal TEXT NOT NULL,
    seal_krunica TEXT NOT NULL,
    seal_seq BIGINT NOT NULL
);
CREATE INDEX proofs_of ON proofs (identity_id, world, vrsta);

CREATE TABLE proof_challenges (
    id TEXT NOT NULL PRIMARY KEY,
    identity_id TEXT NOT NULL,
    world BIGINT NOT NULL,
    nonce TEXT NOT NULL,
    drawn BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    used BIGINT
);
CREATE INDEX proof_challenges_over ON proof_challenges (expires);
