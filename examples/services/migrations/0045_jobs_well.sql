-- When a job was well last; what is there counts as it says. A job that is new has time from then on.
ALTER TABLE jobs ADD COLUMN well_run BIGINT;
UPDATE jobs SET well_run = ended_run WHERE fault IS NULL;
