create table contact_messages (
  message_id uuid primary key,
  ticket text not null unique,
  name text not null,
  email text not null,
  topic text not null,
  message text not null check (char_length(message) <= 4000),
  locale text not null,
  created_at timestamptz not null,
  -- when the mail to the operator left
  mailed_at timestamptz
);
-- serves the operator's list, newest first
create index contact_messages_newest on contact_messages (created_at desc);
-- serves who asks for everything kept of them, or leaves
create index contact_messages_of on contact_messages (lower(email));
