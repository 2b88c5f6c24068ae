-- Other services that say who they are. state: pending (its proof held), heard (another service lists it), listed (a
-- native approved it), removed. world: 0 real, 1 decoy: what a decoy's caller decided. tag: over all columns before it.
CREATE TABLE peers (
    agent_id TEXT NOT NULL,
    world BIGINT NOT NULL,
    url TEXT NOT NULL,
    public_key BYTEA NOT NULL,
    state TEXT NOT NULL,
    registered BIGINT NOT NULL,
    decided BIGINT,
    source TEXT,
    krunica TEXT,
    tag BYTEA,
    PRIMARY KEY (agent_id, world)
);
CREATE INDEX peers_of_state ON peers (state, registered);
