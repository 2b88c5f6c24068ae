-- Why a key's state was changed, as whoever changed it said.
CREATE TABLE key_notes (
    krunica BYTEA NOT NULL PRIMARY KEY,
    identity_id TEXT NOT NULL,
    stanje TEXT NOT NULL,
    napomena TEXT NOT NULL,
    set_by TEXT NOT NULL
);

-- Identities as the decoy world has them: what was changed there, and nowhere else.
CREATE TABLE decoy_identities (
    identity_id TEXT NOT NULL PRIMARY KEY,
    generation BIGINT NOT NULL,
    stanje TEXT NOT NULL,
    generated BIGINT NOT NULL
);

-- The keys that signed there.
CREATE TABLE decoy_keys (
    key_hash BYTEA NOT NULL PRIMARY KEY,
    identity_id TEXT NOT NULL
);
