-- The folded address of a mail without an account: a wish for the newsletter goes with the account of its address.
alter table outgoing_mails add column email_folded text;
update outgoing_mails set email_folded = lower(normalize(btrim(email), nfkc)) where account_id is null;
-- serves the deletion of an account
create index outgoing_mails_to on outgoing_mails (email_folded) where email_folded is not null;

-- Messages are found by the folded address, in whatever spelling it was typed; and by who was logged in when writing.
alter table contact_messages
  add column email_folded text,
  add column account_id uuid references accounts on delete cascade;
update contact_messages set email_folded = lower(normalize(btrim(email), nfkc));
alter table contact_messages alter column email_folded set not null;
drop index contact_messages_of;
-- serves the deletion of an account
create index contact_messages_to on contact_messages (email_folded);
-- serves who asks for everything kept of them, or leaves
create index contact_messages_of on contact_messages (account_id) where account_id is not null;
