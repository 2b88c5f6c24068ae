-- What drivers file, with their photos. world: 0 real, 1 decoy.

-- content: the text that is signed, with its salt; record: the signature. Both go with the person.
CREATE TABLE driver_documents (
    vozac TEXT NOT NULL,
    dokument_id TEXT NOT NULL,
    world BIGINT NOT NULL,
    identity_id TEXT NOT NULL,
    tip TEXT NOT NULL,
    vehicle TEXT NOT NULL,
    registracija TEXT NOT NULL,
    odluka TEXT,
    vrijeme BIGINT NOT NULL,
    created BIGINT NOT NULL,
    -- What was asked for: the same once more is the same document.
    asked BYTEA NOT NULL,
    content TEXT NOT NULL,
    record TEXT,
    krunica TEXT NOT NULL,
    seq BIGINT NOT NULL,
    token TEXT NOT NULL UNIQUE,
    PRIMARY KEY (vozac, dokument_id, world)
);
CREATE INDEX driver_documents_recent ON driver_documents (vozac, world, created, dokument_id);

-- original: as it was sent; shown: without what it says of itself.
CREATE TABLE driver_photos (
    identity_id TEXT NOT NULL,
    world BIGINT NOT NULL,
    vozac TEXT NOT NULL,
    dokument_id TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    original BYTEA NOT NULL,
    shown BYTEA NOT NULL,
    shown_bytes BIGINT NOT NULL,
    sirina BIGINT NOT NULL,
    visina BIGINT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (identity_id, world)
);
CREATE INDEX driver_photos_of ON driver_photos (vozac, dokument_id, world);
CREATE INDEX driver_photos_created ON driver_photos (created);

-- What an inspection found, until a repair is signed off.
CREATE TABLE driver_defects (
    id TEXT NOT NULL PRIMARY KEY,
    world BIGINT NOT NULL,
    vehicle TEXT NOT NULL,
    vozac TEXT NOT NULL,
    dokument_id TEXT NOT NULL,
    stavka TEXT NOT NULL,
    razina TEXT NOT NULL,
    created BIGINT NOT NULL,
    -- The document that closed it.
    closed TEXT,
    closed_at BIGINT
);
CREATE INDEX driver_defects_open ON driver_defects (vehicle, world, created) WHERE closed IS NULL;
