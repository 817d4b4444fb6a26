create table contact_messages (
  message_id uuid primary key,
  ticket text not null unique,
  name text not null,
  email text not null,
  -- messages are found by it, in whatever spelling the address was typed
  email_folded text not null,
  -- who was logged in when writing
  account_id uuid references accounts on delete cascade,
  topic text not null,
  message text not null check (char_length(message) <= 4000),
  locale text not null,
  created_at timestamptz not null,
  -- when the mail to the operator left
  mailed_at timestamptz,
  -- Which message of which form this is (a hash of its idempotency key and content): sent again, it gets the same ticket.
  -- null: sent without a key, or the key has expired.
  sent_as bytea
);
-- serves the operator's list, newest first
create index contact_messages_newest on contact_messages (created_at desc);
-- serves the deletion of an account
create index contact_messages_to on contact_messages (email_folded);
-- serves who asks for everything kept of them, or leaves
create index contact_messages_of on contact_messages (account_id) where account_id is not null;
-- serves who sends a message again, and keeps two of the same moment from both being stored
create unique index contact_messages_sent_as on contact_messages (sent_as) where sent_as is not null;
-- serves putting messages that were not mailed back into the queue
create index contact_messages_unmailed on contact_messages (message_id) where mailed_at is null;
