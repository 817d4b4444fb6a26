-- What people want to see. One row an event and person, however often it is added at the same time.
create table schedule_entries (
  entry_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  event_id uuid not null references events on delete cascade,
  priority text not null default 'want' check (priority in ('must', 'want', 'maybe')),
  note text check (char_length(note) between 1 and 280),
  -- minutes before the start, ascending
  reminders smallint[] not null default '{}' check (cardinality(reminders) <= 3),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- serves a person's schedule as well
  unique (account_id, event_id)
);
-- serves who has an event in their schedule
create index schedule_entries_of_event on schedule_entries (event_id, account_id);

-- Secret addresses of a schedule. The secret itself is nowhere: it follows from the id and a key of the installation.
create table schedule_links (
  account_id uuid not null references accounts on delete cascade,
  -- feed: the calendar; share: the page for others
  kind text not null check (kind in ('feed', 'share')),
  link_id uuid not null,
  -- SHA-256 of the token
  token_hash bytea not null unique,
  created_at timestamptz not null,
  primary key (account_id, kind)
);

-- How many have an event in their schedule is counted beside the event, also where entries go with an account. Events are
-- locked in the order of their ids, so that two changes of many entries never wait for each other.
create function count_event_saves() returns trigger
language plpgsql
as $$
begin
  perform from events where event_id in (select event_id from changed) order by event_id for no key update;
  update events e set saves = greatest(0, e.saves + (case when tg_op = 'INSERT' then 1 else -1 end) * by_event.entries)
  from (select event_id, count(*)::int as entries from changed group by event_id) by_event
  where e.event_id = by_event.event_id;
  return null;
end
$$;
create trigger schedule_entries_count_more after insert on schedule_entries
referencing new table as changed for each statement execute function count_event_saves();
create trigger schedule_entries_count_less after delete on schedule_entries
referencing old table as changed for each statement execute function count_event_saves();
