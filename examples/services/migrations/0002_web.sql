-- Requests that came with an Idempotency-Key: claimed while they are served, then with their answer, under a key of
-- the service. scope names method, path, subject, world and key; body is the keyed hash of what was sent.
CREATE TABLE idempotency (
    scope BYTEA NOT NULL PRIMARY KEY,
    body BYTEA NOT NULL,
    claim BYTEA NOT NULL,
    expires BIGINT NOT NULL,
    answer BYTEA
);
CREATE INDEX idempotency_expires ON idempotency (expires);

-- Who called what, and how it ended. world: 0 real, 1 decoy.
CREATE TABLE audit (
    request TEXT NOT NULL PRIMARY KEY,
    time BIGINT NOT NULL,
    subject TEXT NOT NULL,
    tier TEXT NOT NULL,
    token TEXT NOT NULL,
    client TEXT NOT NULL,
    node TEXT,
    world BIGINT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status BIGINT NOT NULL,
    code TEXT
);
CREATE INDEX audit_of ON audit (subject, time);
CREATE INDEX audit_time ON audit (time);
