-- Of an invitation that enrols a node's login: the node's label. Such a login is of the kind `node`, and its label the
-- node's.
ALTER TABLE invitations ADD COLUMN node TEXT;
