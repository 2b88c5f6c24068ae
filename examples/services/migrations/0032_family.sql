-- Children of guardians, and what is kept for them. world: 0 real, 1 decoy. On a server the database itself shows each
-- guardian his own rows alone (platform, db/roles.rs).

-- profile: what is known of the child, under a key of its own. day, ordinal, age_day: what it was shown on the last day
-- before its zone changed, from which daily content goes on.
CREATE TABLE family_children (
    id TEXT NOT NULL PRIMARY KEY,
    world BIGINT NOT NULL,
    guardian TEXT NOT NULL,
    profile BYTEA NOT NULL,
    seal TEXT NOT NULL,
    sealed_by BYTEA NOT NULL,
    krunica TEXT NOT NULL,
    language TEXT NOT NULL,
    zone TEXT NOT NULL,
    day BIGINT NOT NULL,
    ordinal BIGINT NOT NULL,
    age_day BIGINT NOT NULL,
    created BIGINT NOT NULL
);
CREATE INDEX family_children_of ON family_children (guardian, world, created, id);

-- content: the text that is signed, under a key of its own; record: the signature, which says nothing of it.
CREATE TABLE family_memories (
    id TEXT NOT NULL PRIMARY KEY,
    world BIGINT NOT NULL,
    guardian TEXT NOT NULL,
    child TEXT NOT NULL,
    content BYTEA NOT NULL,
    record TEXT NOT NULL,
    krunica TEXT NOT NULL,
    created BIGINT NOT NULL,
    UNIQUE (guardian, krunica)
);
CREATE INDEX family_memories_of ON family_memories (child, created, id);
