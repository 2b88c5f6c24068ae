-- Vehicles, where they crossed borders, and how long they are away. world: 0 real, 1 decoy.

CREATE TABLE vehicles (
    id TEXT NOT NULL PRIMARY KEY,
    world BIGINT NOT NULL,
    registracija TEXT NOT NULL,
    maticna TEXT NOT NULL,
    vlasnik_id TEXT NOT NULL,
    contact TEXT,
    retired BIGINT NOT NULL,
    version BIGINT NOT NULL,
    -- Since when it is away, by its crossings (9223372036854775807 at home), and when it came home last.
    left_at BIGINT NOT NULL,
    returned_at BIGINT,
    -- The level that was told last, and when another one is reached.
    told TEXT NOT NULL,
    next_due BIGINT,
    plan TEXT NOT NULL,
    krunica TEXT NOT NULL,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    UNIQUE (registracija, world)
);
CREATE INDEX vehicles_due ON vehicles (next_due, id) WHERE retired = 0 AND world = 0;
CREATE INDEX vehicles_away ON vehicles (world, retired, left_at, id);
CREATE INDEX vehicles_created ON vehicles (world, created, id);

-- The state of a vehicle follows from these, in whatever order they came.
CREATE TABLE crossings (
    id TEXT NOT NULL PRIMARY KEY,
    vehicle TEXT NOT NULL REFERENCES vehicles (id),
    time BIGINT NOT NULL,
    drzava TEXT NOT NULL,
    izvor TEXT NOT NULL,
    krunica TEXT NOT NULL,
    created BIGINT NOT NULL,
    UNIQUE (vehicle, time, drzava)
);

-- What odometers said, by what drivers filed.
CREATE TABLE odometers (
    vehicle TEXT NOT NULL REFERENCES vehicles (id),
    time BIGINT NOT NULL,
    kilometri BIGINT NOT NULL,
    -- The entry of the document that says so.
    krunica TEXT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (vehicle, time, kilometri)
);
