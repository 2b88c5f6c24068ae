-- Vault secrets among nodes, their rebuilding, and the authenticators by which people show that they are present.
-- Secrets stand in `secrets`: shards that wait for their node at (qt_shards, shard_id, shard), the key of a request's
-- shards at (qt_requests, id, key).

-- state: prepared, force, superseded, erased. seq is that of the entry that put it in force.
CREATE TABLE qt_splits (
    split_id TEXT NOT NULL PRIMARY KEY,
    vault_id TEXT NOT NULL,
    identity_id TEXT NOT NULL,
    m BIGINT NOT NULL,
    n BIGINT NOT NULL,
    previous TEXT,
    state TEXT NOT NULL,
    custody BOOLEAN NOT NULL,
    seq BIGINT,
    until BIGINT NOT NULL,
    created BIGINT NOT NULL,
    world BIGINT NOT NULL
);
CREATE INDEX qt_splits_of ON qt_splits (vault_id, created);
CREATE INDEX qt_splits_whose ON qt_splits (identity_id, created);

-- state: dealt, pulled, acknowledged, superseded, deleted.
CREATE TABLE qt_shards (
    shard_id TEXT NOT NULL PRIMARY KEY,
    split_id TEXT NOT NULL REFERENCES qt_splits (split_id),
    vault_id TEXT NOT NULL,
    indeks BIGINT NOT NULL,
    node TEXT NOT NULL,
    state TEXT NOT NULL,
    changed BIGINT NOT NULL,
    UNIQUE (split_id, indeks),
    UNIQUE (split_id, node)
);
CREATE INDEX qt_shards_of ON qt_shards (node, vault_id);

-- state: open, approved, used, expired.
CREATE TABLE qt_requests (
    id TEXT NOT NULL PRIMARY KEY,
    vault_id TEXT NOT NULL,
    identity_id TEXT NOT NULL,
    split_id TEXT NOT NULL REFERENCES qt_splits (split_id),
    opener TEXT NOT NULL,
    request TEXT NOT NULL,
    arguments TEXT NOT NULL,
    nonce TEXT NOT NULL UNIQUE,
    expiry BIGINT NOT NULL,
    required BIGINT NOT NULL,
    state TEXT NOT NULL,
    created BIGINT NOT NULL
);
CREATE INDEX qt_requests_open ON qt_requests (state, expiry);

CREATE TABLE qt_proofs (
    request_id TEXT NOT NULL REFERENCES qt_requests (id),
    authenticator TEXT NOT NULL,
    proof TEXT NOT NULL,
    PRIMARY KEY (request_id, authenticator)
);

-- What nodes released, under the key of the request; holds says what the seal did.
CREATE TABLE qt_given (
    request_id TEXT NOT NULL REFERENCES qt_requests (id),
    shard_id TEXT NOT NULL REFERENCES qt_shards (shard_id),
    stored BYTEA NOT NULL,
    holds BOOLEAN NOT NULL,
    PRIMARY KEY (request_id, shard_id)
);

CREATE TABLE presence_authenticators (
    id TEXT NOT NULL PRIMARY KEY,
    identity_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    material TEXT NOT NULL,
    enrolled BIGINT NOT NULL,
    counts_from BIGINT NOT NULL,
    removed BIGINT
);
CREATE INDEX presence_authenticators_of ON presence_authenticators (identity_id, enrolled);

-- An invitation is known by the hash of its text. It counts when a second native agreed.
CREATE TABLE presence_invitations (
    id TEXT NOT NULL PRIMARY KEY,
    identity_id TEXT NOT NULL,
    invited_by TEXT NOT NULL,
    agreed_by TEXT,
    expires BIGINT NOT NULL,
    used BIGINT
);

-- An enrolment that was begun: what the new authenticator, and the one that vouches for it, are to answer.
CREATE TABLE presence_enrolments (
    id TEXT NOT NULL PRIMARY KEY,
    identity_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    invitation TEXT,
    nonce TEXT NOT NULL,
    begun TEXT NOT NULL,
    expires BIGINT NOT NULL,
    used BIGINT
);
