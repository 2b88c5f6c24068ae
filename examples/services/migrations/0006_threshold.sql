-- Threshold sessions. No secret stands here: shares that wait for their nodes, and those that nodes gave back, are rows
-- of secrets. world: 0 real, 1 decoy.

-- A session: the handle of its founding is pinned here, and the head before it, where reading its entries begins.
CREATE TABLE sessions (
    session_id TEXT NOT NULL PRIMARY KEY,
    world BIGINT NOT NULL,
    log BIGINT NOT NULL REFERENCES logs (id),
    begins TEXT NOT NULL,
    founding BYTEA NOT NULL,
    founder TEXT NOT NULL,
    state TEXT NOT NULL,
    split_id TEXT NOT NULL,
    created BIGINT NOT NULL
);

-- Its records, one for each time that its secret was dealt. Without a handle it was prepared, until when, and does not
-- count.
CREATE TABLE generations (
    split_id TEXT NOT NULL PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (session_id),
    number BIGINT NOT NULL,
    record TEXT NOT NULL,
    krunica BYTEA,
    until BIGINT,
    UNIQUE (session_id, number)
);

-- Who holds which share: waiting, pulled, acknowledged; when its node last said that it has it, and when it last gave
-- back something else.
CREATE TABLE holdings (
    split_id TEXT NOT NULL REFERENCES generations (split_id),
    n BIGINT NOT NULL,
    session_id TEXT NOT NULL,
    node TEXT NOT NULL,
    owner TEXT NOT NULL,
    state TEXT NOT NULL,
    acknowledgement TEXT,
    held BIGINT,
    invalid BIGINT,
    PRIMARY KEY (split_id, n)
);
CREATE INDEX holdings_of_session ON holdings (session_id, n);
CREATE INDEX holdings_of_node ON holdings (node, state);

-- What nodes are asked to give their shares back for, once: to sign this message, or to deal the secret anew.
CREATE TABLE quorum_requests (
    request_id TEXT NOT NULL PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (session_id),
    purpose TEXT NOT NULL,
    requester TEXT NOT NULL,
    message BYTEA,
    state TEXT NOT NULL,
    opened BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE INDEX quorum_requests_open ON quorum_requests (state, expires);
CREATE INDEX quorum_requests_of ON quorum_requests (session_id, state);

-- The shares that were given back for one, while they wait.
CREATE TABLE given_shares (
    request_id TEXT NOT NULL REFERENCES quorum_requests (request_id),
    split_id TEXT NOT NULL,
    n BIGINT NOT NULL,
    given BIGINT NOT NULL,
    PRIMARY KEY (request_id, split_id, n)
);

-- What quorums signed, by the handle of its entry.
CREATE TABLE quorum_results (
    krunica BYTEA NOT NULL PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (session_id),
    split_id TEXT NOT NULL,
    requester TEXT NOT NULL,
    message_hash TEXT NOT NULL,
    time BIGINT NOT NULL,
    json TEXT NOT NULL
);
CREATE INDEX quorum_results_of ON quorum_results (session_id, time);
