-- Where the log says that an authenticator was enrolled: nodes ask for the proof. It is a way to find it and no more, so
-- that no tag covers it. Those of before have none, and count at no node that does not know them: they enrol anew.
ALTER TABLE presence_authenticators ADD COLUMN entry BIGINT;
