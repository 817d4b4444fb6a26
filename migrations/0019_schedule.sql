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

-- The reminders of schedule entries: when each is due. Kept by triggers in the transaction of every change of an entry or
-- an event, so that a reminder moves with its event and no job has to look through whole schedules.
create table schedule_reminders (
  entry_id uuid not null references schedule_entries on delete cascade,
  -- before the start
  minutes smallint not null,
  account_id uuid not null,
  event_id uuid not null,
  -- null: there is nothing to tell, because it was told, was set too late, or the event is cancelled or no longer public
  due_at timestamptz,
  -- the start for which it was told; another start is told again
  told_for timestamptz,
  primary key (entry_id, minutes)
);
-- serves what is due
create index schedule_reminders_due on schedule_reminders (due_at) where due_at is not null;
-- serves an event that moves
create index schedule_reminders_of_event on schedule_reminders (event_id);

-- A change of the reminders of an entry holds the event before it touches the reminders, as a change of the event does: so neither waits
-- for the other, and the event cannot move between reading its start and the commit.
create or replace function plan_reminders() returns trigger
language plpgsql
as $$
declare
  starts timestamptz;
  is_on boolean;
begin
  if tg_op = 'INSERT' and cardinality(new.reminders) = 0 then
    return null;
  end if;
  select starts_at, state not in ('draft', 'cancelled') into starts, is_on
  from events where event_id = new.event_id for no key update;
  if tg_op = 'UPDATE' then
    delete from schedule_reminders where entry_id = new.entry_id and minutes <> all (new.reminders);
  end if;
  -- one whose time is over when it is set is not told any more
  insert into schedule_reminders (entry_id, minutes, account_id, event_id, due_at, told_for)
  select new.entry_id, before, new.account_id, new.event_id,
    case when is_on and starts - make_interval(mins => before) > new.updated_at
      then starts - make_interval(mins => before) end,
    case when starts - make_interval(mins => before) <= new.updated_at then starts end
  from unnest(new.reminders) as wanted (before)
  on conflict (entry_id, minutes) do nothing;
  return null;
end
$$;
create trigger schedule_entries_plan_reminders after insert or update of reminders on schedule_entries
for each row execute function plan_reminders();

create function move_reminders() returns trigger
language plpgsql
as $$
begin
  update schedule_reminders set due_at = case
    when new.state in ('draft', 'cancelled') or told_for = new.starts_at then null
    else new.starts_at - make_interval(mins => minutes) end
  where event_id = new.event_id;
  return null;
end
$$;
create trigger events_move_reminders after update of starts_at, state on events
for each row when (old.starts_at is distinct from new.starts_at or old.state is distinct from new.state)
execute function move_reminders();

-- Events that changed and of which who saved them has not been told yet: they are told after a moment, so that a correction
-- or an undo in between is no second notice, and several changes are one.
create table schedule_event_changes (
  event_id uuid primary key,
  -- as people know it: before the first change of which they were not told
  before jsonb not null,
  -- of the event after the last change, as in iCalendar
  sequence int not null,
  -- of the change that `before` precedes
  first_sequence int,
  tell_at timestamptz not null
);
-- serves what is to be told
create index schedule_event_changes_due on schedule_event_changes (tell_at);

-- When somebody took an event out of their schedule, so that an addition that was tapped before that on another device, and is
-- sent late, does not bring it back. Forgotten after 30 days. Without a foreign key to the event, whose deletion waits for nothing here.
create table schedule_removals (
  account_id uuid not null references accounts on delete cascade,
  event_id uuid not null,
  removed_at timestamptz not null,
  primary key (account_id, event_id)
);
-- serves forgetting
create index schedule_removals_old on schedule_removals (removed_at);
