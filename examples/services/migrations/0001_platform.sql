-- What every module stands on. Types are those that both databases have; BYTEA is a blob on SQLite.

-- The logs: the one of the greatest number is written to. One begins when a restored store has lost entries.
CREATE TABLE logs (
    id BIGINT NOT NULL PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    ring_seal TEXT NOT NULL,
    checkpoint TEXT,
    note TEXT
);

CREATE TABLE entries (
    log BIGINT NOT NULL REFERENCES logs (id),
    seq BIGINT NOT NULL,
    krunica BYTEA NOT NULL,
    prev BYTEA NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (log, seq),
    UNIQUE (log, prev),
    UNIQUE (krunica)
);

-- The full subtrees: place is the level times 2^56 and the index within it.
CREATE TABLE nodes (
    log BIGINT NOT NULL REFERENCES logs (id),
    place BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY (log, place)
);

CREATE TABLE ring (
    log BIGINT NOT NULL REFERENCES logs (id),
    name TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (log, name)
);

CREATE TABLE checkpoints (
    log BIGINT NOT NULL REFERENCES logs (id),
    size BIGINT NOT NULL,
    time BIGINT NOT NULL,
    json TEXT NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (log, size)
);

-- The records of the log: signed ones, and those of the vault with their fragments. world: 0 real, 1 decoy.
CREATE TABLE records (
    krunica BYTEA NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    identity_id TEXT NOT NULL,
    time BIGINT NOT NULL,
    json TEXT NOT NULL
);
CREATE INDEX records_of ON records (identity_id, time);

-- Secrets at rest, each under the master or an erasure key and bound to its place. An empty one was forgotten.
CREATE TABLE secrets (
    tbl TEXT NOT NULL,
    line BYTEA NOT NULL,
    purpose TEXT NOT NULL,
    stored BYTEA NOT NULL,
    PRIMARY KEY (tbl, line, purpose)
);

-- The list of secrets that steps kept, of which the state has the end.
CREATE TABLE secret_list (
    log BIGINT NOT NULL REFERENCES logs (id),
    number BIGINT NOT NULL,
    place BYTEA NOT NULL,
    listed BYTEA NOT NULL,
    PRIMARY KEY (log, number)
);

-- Which master the secrets are under.
CREATE TABLE masters (
    key_id TEXT NOT NULL PRIMARY KEY,
    since BIGINT NOT NULL
);
