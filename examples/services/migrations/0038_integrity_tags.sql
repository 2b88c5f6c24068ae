-- Tags of what is known of files: over host, baseline, path, found and since.
ALTER TABLE integrity_anomalies ADD COLUMN tag BYTEA;
