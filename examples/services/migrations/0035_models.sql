-- What was spent on models. subject: an identity, or nothing for all together. period: a month, 2026-11. spent: in
-- millionths of a cent, with what is reserved for calls that are under way.
CREATE TABLE model_spend (
    subject TEXT NOT NULL,
    period TEXT NOT NULL,
    spent BIGINT NOT NULL,
    PRIMARY KEY (subject, period)
);
CREATE INDEX model_spend_of ON model_spend (period);
