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
-- serves taking the name of a deleted account out of the log of staff
create index audit_entries_of_object on audit_entries (object_kind, object_id);

-- An undo is an entry that can be undone as well: entries form a chain by `undoes`. These two functions read it.
-- Whether what the entry did is taken back now: undone, or undone, redone and undone again.

-- Whether what the entry did is taken back now: undone, or undone, redone and undone again.
create function is_undone(entry uuid) returns boolean
language sql stable
as $$
  with recursive undos as (
    select a.entry_id, 1 as number from audit_entries a where a.undoes = entry
    union all
    select a.entry_id, u.number + 1 from undos u join audit_entries a on a.undoes = u.entry_id
  )
  select coalesce(max(number), 0) % 2 = 1 from undos
$$;

-- The entry at the start of the chain and how many undos lead from it to this entry. An odd number: this entry took the
-- action back; an even one: this entry did it, or did it again.
create function undo_chain(entry uuid, out first_id uuid, out undos int)
language sql stable
as $$
  with recursive chain as (
    select a.entry_id, a.undoes, 0 as number from audit_entries a where a.entry_id = entry
    union all
    select a.entry_id, a.undoes, c.number + 1 from chain c join audit_entries a on a.entry_id = c.undoes
  )
  select entry_id, number from chain where undoes is null
$$;

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
