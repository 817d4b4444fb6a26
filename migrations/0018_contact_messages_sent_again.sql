-- Which message of which form this is (a hash of its idempotency key and content): sent again, it gets the same ticket.
-- null: sent without a key, or the key has expired.
alter table contact_messages add column sent_as bytea;
-- serves who sends a message again, and keeps two of the same moment from both being stored
create unique index contact_messages_sent_as on contact_messages (sent_as) where sent_as is not null;
