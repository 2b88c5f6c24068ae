-- What was queued under this topic nobody sends: identities are told by messages.
DELETE FROM outbox WHERE topic = 'presence';
