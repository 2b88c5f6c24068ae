-- What drivers file, with their photos. world: 0 real, 1 decoy.

-- The text that is signed, with its salt, is a secret under the driver's erasure key. record: the signature over it;
-- seal: the dual seal, with its own entry. Both say nothing without the text.
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
    record TEXT NOT NULL,
    krunica TEXT NOT NULL,
    seq BIGINT NOT NULL,
    seal TEXT NOT NULL,
    seal_krunica TEXT NOT NULL,
    seal_seq BIGINT NOT NULL,
    -- SHA3-256 of the token of its link.
    link TEXT NOT NULL UNIQUE,
    PRIMARY KEY (vozac, dokument_id, world)
);
CREATE INDEX driver_documents_recent ON driver_documents (vozac, world, created, dokument_id);
CREATE INDEX driver_documents_of ON driver_documents (vehicle, world, created, identity_id);
CREATE UNIQUE INDEX driver_documents_identity ON driver_documents (identity_id, world);

-- original: as it was sent; shown: without what it says of itself. Both are encrypted, under a key of the photo's that is
-- a secret under the driver's erasure key.
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
    -- Whether a document names it: those that none does are taken away.
    named BIGINT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (identity_id, world)
);
CREATE INDEX driver_photos_of ON driver_photos (vozac, world, dokument_id);
CREATE INDEX driver_photos_waiting ON driver_photos (created) WHERE named = 0;

-- What an inspection found, until a repair is signed off.
CREATE TABLE driver_defects (
    id TEXT NOT NULL PRIMARY KEY,
    world BIGINT NOT NULL,
    vehicle TEXT NOT NULL,
    vozac TEXT NOT NULL,
    -- The inspection that found it.
    dokument TEXT,
    stavka TEXT NOT NULL,
    razina TEXT NOT NULL,
    created BIGINT NOT NULL,
    -- The document that closed it.
    closed TEXT,
    closed_at BIGINT
);
CREATE INDEX driver_defects_open ON driver_defects (vehicle, world, created) WHERE closed IS NULL;
CREATE UNIQUE INDEX driver_defects_one ON driver_defects (vehicle, world, stavka) WHERE closed IS NULL;
CREATE INDEX driver_defects_by ON driver_defects (vozac, world);
