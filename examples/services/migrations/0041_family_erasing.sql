-- Children that are being erased in pieces: they are told as gone, and whoever goes on with it finds them here. It is shown
-- to all, since who goes on is nobody's guardian; names and texts are not in it.
CREATE TABLE family_erasing (
    child TEXT NOT NULL PRIMARY KEY,
    guardian TEXT NOT NULL,
    world BIGINT NOT NULL,
    asked BIGINT NOT NULL,
    tag BYTEA
);
