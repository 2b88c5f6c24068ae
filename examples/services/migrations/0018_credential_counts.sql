-- How far a credential has counted its answers: one that counts back is a copy. No tag covers it: whoever turns it back
-- needs the copy as well.
ALTER TABLE presence_authenticators ADD COLUMN counted BIGINT;
