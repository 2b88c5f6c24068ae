-- Whether whoever caused a message knows how it ended, and what it is about: the first two parts of `once`.
ALTER TABLE messages_out ADD COLUMN noted BIGINT NOT NULL DEFAULT 0;
ALTER TABLE messages_out ADD COLUMN about TEXT;
UPDATE messages_out SET noted = 1 WHERE state IN ('failed', 'dead', 'expired');
UPDATE messages_out SET about = SUBSTR(once, 1, 73) WHERE once LIKE 'document:%';
CREATE INDEX messages_out_unheard ON messages_out (id)
    WHERE noted = 0 AND state IN ('failed', 'dead', 'expired');
CREATE INDEX messages_out_about ON messages_out (about);

-- The vehicles of an identity, when it asks how they stand; the last crossing home.
CREATE INDEX vehicles_of ON vehicles (vlasnik_id, world, retired, left_at, id);
CREATE INDEX crossings_home ON crossings (vehicle, drzava, time);
-- A retired vehicle's plate has its name behind it: the plate itself is free.
UPDATE vehicles SET registracija = registracija || ' ' || id WHERE retired = 1;

-- Crossings that never were: they count no more.
CREATE TABLE crossings_taken_back (
    id TEXT NOT NULL PRIMARY KEY,
    vehicle TEXT NOT NULL REFERENCES vehicles (id),
    time BIGINT NOT NULL,
    drzava TEXT NOT NULL,
    -- Its entry, and the one that took it back.
    krunica TEXT NOT NULL,
    back TEXT NOT NULL,
    back_at BIGINT NOT NULL
);

-- Which policy is in force: the last one, in every process.
CREATE TABLE fleet_policies (
    revision BIGINT NOT NULL PRIMARY KEY,
    -- Three numbers of weeks.
    weeks TEXT NOT NULL,
    basis TEXT NOT NULL,
    krunica TEXT NOT NULL,
    since BIGINT NOT NULL
);
