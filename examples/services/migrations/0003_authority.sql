-- Authority: who may call. world: 0 real, 1 what callers of the decoy world made, which gives no real authority.

-- The keys that sign tokens; the seed of each is a secret. A retired one verifies until its last token has expired.
CREATE TABLE token_keys (
    kid TEXT NOT NULL PRIMARY KEY,
    since BIGINT NOT NULL,
    until BIGINT
);

-- Every token that was issued: one that has no row here does not count, however well it is signed.
CREATE TABLE tokens (
    jti TEXT NOT NULL PRIMARY KEY,
    subject TEXT NOT NULL,
    client TEXT NOT NULL,
    tier TEXT NOT NULL,
    scope TEXT NOT NULL,
    node TEXT,
    login TEXT,
    issued BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    revoked BIGINT,
    revoked_decoy BIGINT,
    world BIGINT NOT NULL
);
CREATE INDEX tokens_of ON tokens (subject, issued);
CREATE INDEX tokens_end ON tokens (expires);

-- How identities get tokens: by a login key that only its holder has, or as a subject of an outside issuer.
CREATE TABLE logins (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    identity_id TEXT NOT NULL,
    tier TEXT NOT NULL,
    scope TEXT NOT NULL,
    public_key BYTEA,
    issuer TEXT,
    outside TEXT,
    label TEXT NOT NULL,
    added BIGINT NOT NULL,
    hidden BIGINT,
    world BIGINT NOT NULL,
    UNIQUE (identity_id, public_key, world),
    UNIQUE (issuer, outside, world)
);

-- By the hash of the code: whoever reads the database enrols nobody.
CREATE TABLE invitations (
    code BYTEA NOT NULL PRIMARY KEY,
    identity_id TEXT NOT NULL,
    tier TEXT NOT NULL,
    scope TEXT NOT NULL,
    made BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    used BIGINT,
    world BIGINT NOT NULL
);

-- Challenges that were answered. Those that were not have no row: a challenge proves itself.
CREATE TABLE used_nonces (
    nonce BYTEA NOT NULL PRIMARY KEY,
    expires BIGINT NOT NULL
);
CREATE INDEX used_nonces_end ON used_nonces (expires);

-- The nodes that hold shards and shares (`nodes` are those of the tree): label is a URL or a name, key the Ed25519 key
-- that was pinned.
CREATE TABLE custodians (
    label TEXT NOT NULL PRIMARY KEY,
    identity_id TEXT NOT NULL,
    key BYTEA,
    added BIGINT NOT NULL,
    last_seen BIGINT
);
