-- What staff did: one row an action, written in the transaction of the action and never changed afterwards.
create table audit_entries (
  entry_id uuid primary key,
  at timestamptz not null,
  -- null: a command of the operator
  account_id uuid,
  -- the name at the time, for accounts go
  actor text not null check (char_length(actor) between 1 and 200),
  action text not null check (action ~ '^[a-z-]{1,40}$'),
  object_kind text not null check (object_kind ~ '^[a-z-]{1,40}$'),
  object_id text check (char_length(object_id) <= 200),
  object_name text not null check (char_length(object_name) <= 300),
  before jsonb,
  after jsonb,
  -- where a person outside is affected
  reason text check (char_length(reason) <= 500),
  -- of an undo: the entry that it undid
  undoes uuid unique references audit_entries
);
-- serves the log, newest first
create index audit_entries_newest on audit_entries (at desc, entry_id desc);
-- serves the log of one person and of one kind
create index audit_entries_of_person on audit_entries (account_id, at desc, entry_id desc);
create index audit_entries_of_action on audit_entries (action, at desc, entry_id desc);

-- What was answered to a request of staff with an Idempotency-Key, so that the same request sent again acts once.
create table staff_requests (
  account_id uuid not null,
  key text not null check (char_length(key) between 1 and 200),
  operation text not null,
  -- SHA-256 of the input: another input with the same key is refused
  input bytea not null,
  answer jsonb,
  at timestamptz not null,
  primary key (account_id, key)
);
-- serves forgetting them
create index staff_requests_by_time on staff_requests (at);
