-- Where a call came from (of IPv6 64 bits). Calls without a token have the tier `public` and the identity that they were
-- about, where it is known; commands of the host have the tier `host`.
ALTER TABLE audit ADD COLUMN address TEXT;
