-- serves putting messages that were not mailed back into the queue
create index contact_messages_unmailed on contact_messages (message_id) where mailed_at is null;

-- where a verified address is demanded: when the account goes unless it is; set when the first mail that says so has left
alter table accounts add column confirm_by timestamptz, add column confirm_reminded_at timestamptz;
drop index accounts_unverified;
-- serves the nightly jobs that ask to confirm an address, and delete accounts nobody has verified
create index accounts_unverified on accounts (account_id) where verified_at is null;
