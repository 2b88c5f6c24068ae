-- The documents: what is stored of each beside its record, which stands in `records` with its fragment. Up to 64 KiB
-- stand here, more is an object. What a decoy caller sees has a table of its own, so that nothing takes it for a
-- document: world is 0 here. decoy is the hash of the fragment's key, by which a leaked one is traced.
CREATE TABLE vault_records (
    vault_id TEXT NOT NULL PRIMARY KEY,
    krunica BYTEA NOT NULL UNIQUE,
    identity_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    seq BIGINT NOT NULL,
    state TEXT NOT NULL,
    world BIGINT NOT NULL DEFAULT 0 CHECK (world = 0),
    created BIGINT NOT NULL,
    object TEXT,
    stored BYTEA,
    decoy BYTEA NOT NULL UNIQUE
);
CREATE INDEX vault_records_all ON vault_records (created, vault_id);
CREATE INDEX vault_records_of ON vault_records (identity_id, created, vault_id);

-- What a caller sees whose own key is a honeypot: a copy of its listing, and what it sealed since. json is the record
-- that it was given of the latter; where it is null, record and stored bytes are those of the document.
CREATE TABLE vault_decoys (
    subject TEXT NOT NULL,
    vault_id TEXT NOT NULL,
    krunica BYTEA NOT NULL,
    identity_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    seq BIGINT NOT NULL,
    state TEXT NOT NULL,
    created BIGINT NOT NULL,
    object TEXT,
    stored BYTEA,
    json TEXT,
    PRIMARY KEY (subject, vault_id)
);
CREATE INDEX vault_decoys_all ON vault_decoys (subject, created, vault_id);
CREATE INDEX vault_decoys_id ON vault_decoys (vault_id);

-- Whose listing was copied, so that it is done once.
CREATE TABLE vault_decoy_subjects (
    subject TEXT NOT NULL PRIMARY KEY,
    since BIGINT NOT NULL
);

-- Records whose secret was forgotten, and the key on which it hung is not destroyed yet.
CREATE TABLE vault_erasures (
    vault_id TEXT NOT NULL PRIMARY KEY,
    identity_id TEXT NOT NULL
);

-- The keys of the vault are drawn once, by whoever is first here.
CREATE TABLE vault_keys (
    drawn BIGINT NOT NULL PRIMARY KEY
);

-- What natives are told of: a decoy that was used, a fragment that leaked.
CREATE TABLE alarms (
    id TEXT NOT NULL PRIMARY KEY,
    time BIGINT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,
    -- The ten minutes that it is of: of several at once one is told.
    slot BIGINT NOT NULL,
    UNIQUE (kind, subject, slot)
);
CREATE INDEX alarms_of ON alarms (subject, kind, time);
