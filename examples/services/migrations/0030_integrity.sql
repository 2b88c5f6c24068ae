-- Files that are not as they were signed. baseline: what they are held against; found: what is there, none where nothing is.
CREATE TABLE integrity_anomalies (
    host TEXT NOT NULL,
    baseline TEXT NOT NULL,
    path TEXT NOT NULL,
    expected TEXT,
    found TEXT,
    since BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    PRIMARY KEY (host, baseline, path)
);
