-- Documents with an end, and what was told of it. world: 0 real, 1 decoy.

CREATE TABLE documents (
    identity_id TEXT NOT NULL,
    world BIGINT NOT NULL,
    vlasnik_id TEXT NOT NULL,
    tip TEXT NOT NULL,
    naslov TEXT NOT NULL,
    -- The last day, in the zone of the owner: YYYY-MM-DD.
    vrijedi_do TEXT NOT NULL,
    zona TEXT NOT NULL,
    archived BIGINT NOT NULL,
    kontekst TEXT NOT NULL,
    contact TEXT,
    vault_id TEXT,
    version BIGINT NOT NULL,
    -- Grows with each change of the date: what was told of another date is told anew.
    date_version BIGINT NOT NULL,
    -- The tightest threshold of this date that was told or missed.
    told_to BIGINT,
    -- When the next threshold is reached, by which thresholds; none where all are told.
    next_due BIGINT,
    plan TEXT NOT NULL,
    krunica TEXT NOT NULL,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    PRIMARY KEY (identity_id, world)
);
CREATE INDEX documents_of ON documents (vlasnik_id, world, created, identity_id);
CREATE INDEX documents_due ON documents (next_due, identity_id) WHERE archived = 0 AND world = 0;
CREATE INDEX documents_created ON documents (created, identity_id);

-- The words of titles and types, folded.
CREATE TABLE document_words (
    identity_id TEXT NOT NULL,
    world BIGINT NOT NULL,
    word TEXT NOT NULL,
    PRIMARY KEY (identity_id, world, word)
);
CREATE INDEX document_words_of ON document_words (word);

-- Each threshold of each date once, over all processes: sent, unheard where nobody is there to be told, or missed since
-- a tighter one was told.
CREATE TABLE document_alarms (
    identity_id TEXT NOT NULL,
    world BIGINT NOT NULL,
    date_version BIGINT NOT NULL,
    threshold BIGINT NOT NULL,
    state TEXT NOT NULL,
    time BIGINT NOT NULL,
    PRIMARY KEY (identity_id, world, date_version, threshold)
);
