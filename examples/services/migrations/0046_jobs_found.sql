-- When whoever found the fault of a job began to look: what is well since before that says nothing of it.
ALTER TABLE jobs ADD COLUMN found_run BIGINT;
