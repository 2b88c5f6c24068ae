-- How much was made for an identity on a day of UTC: proofs, children and memories. world: 0 real, 1 decoy.
CREATE TABLE made_daily (
    subject TEXT NOT NULL,
    world BIGINT NOT NULL,
    what TEXT NOT NULL,
    day BIGINT NOT NULL,
    many BIGINT NOT NULL,
    PRIMARY KEY (subject, world, what, day)
);
