-- Services whose peers were not read. failed: so many turns in a row; told: 1 where an alarm says so.
CREATE TABLE peer_sources (
    source TEXT NOT NULL PRIMARY KEY,
    failed BIGINT NOT NULL,
    told BIGINT NOT NULL
);
