-- Storage beside the database: objects, erasure keys' owners, jobs, messages on their way, backups, and what a restore
-- made void.

-- Documents, photos and files, by the hash of their bytes: written to the store of objects before any row names them.
CREATE TABLE objects (
    hash BYTEA NOT NULL PRIMARY KEY,
    bytes BIGINT NOT NULL,
    -- When somebody put it last.
    made BIGINT NOT NULL,
    -- When the last name was taken from it; none while it has a name, or never had one.
    bare BIGINT
);
CREATE INDEX objects_made ON objects (made);

CREATE TABLE object_names (
    hash BYTEA NOT NULL REFERENCES objects (hash),
    tbl TEXT NOT NULL,
    line BYTEA NOT NULL,
    PRIMARY KEY (hash, tbl, line)
);

-- Backups that are kept: what they name is not collected.
CREATE TABLE backups (
    id TEXT NOT NULL PRIMARY KEY,
    made BIGINT NOT NULL,
    ended BIGINT
);

-- Secrets that hang on the erasure key of an owner, and on which of his keys.
CREATE TABLE owned_secrets (
    tbl TEXT NOT NULL,
    line BYTEA NOT NULL,
    purpose TEXT NOT NULL,
    owner BYTEA NOT NULL,
    generation BIGINT NOT NULL,
    PRIMARY KEY (tbl, line, purpose)
);
CREATE INDEX owned_secrets_of ON owned_secrets (owner, generation);

-- The least generation of an owner's keys that is written under, and whether an erasure has not ended.
CREATE TABLE erasure_owners (
    owner BYTEA NOT NULL PRIMARY KEY,
    generation BIGINT NOT NULL,
    erasing BOOLEAN NOT NULL
);

-- Which places a secret of the list has.
CREATE INDEX secret_list_of ON secret_list (place);

CREATE TABLE jobs (
    name TEXT NOT NULL PRIMARY KEY,
    every BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    last_run BIGINT,
    -- That of the last run that ended, and what it said where it failed.
    ended_run BIGINT,
    fault TEXT
);

-- Messages, written in the transaction that causes them. What is once is sent once for each topic.
CREATE TABLE outbox (
    id TEXT NOT NULL PRIMARY KEY,
    topic TEXT NOT NULL,
    once TEXT,
    body TEXT NOT NULL,
    created BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    leased_until BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    state TEXT NOT NULL,
    UNIQUE (topic, once)
);
CREATE INDEX outbox_due ON outbox (topic, state, due_at);

-- What was given out before this time counts no more: after a restore the rows that say what was used up are old.
CREATE TABLE voided (
    kind TEXT NOT NULL PRIMARY KEY,
    before BIGINT NOT NULL
);
