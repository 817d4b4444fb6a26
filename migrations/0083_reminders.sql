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

-- The event is locked as by count_event_saves, so that it cannot move between reading its start and the commit.
create function plan_reminders() returns trigger
language plpgsql
as $$
declare
  starts timestamptz;
  is_on boolean;
begin
  if tg_op = 'UPDATE' then
    delete from schedule_reminders where entry_id = new.entry_id and minutes <> all (new.reminders);
  end if;
  if cardinality(new.reminders) = 0 then
    return null;
  end if;
  select starts_at, state not in ('draft', 'cancelled') into starts, is_on
  from events where event_id = new.event_id for no key update;
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

insert into schedule_reminders (entry_id, minutes, account_id, event_id, due_at, told_for)
select s.entry_id, before, s.account_id, s.event_id,
  case when e.state not in ('draft', 'cancelled') and e.starts_at - make_interval(mins => before) > now()
    then e.starts_at - make_interval(mins => before) end,
  case when e.starts_at - make_interval(mins => before) <= now() then e.starts_at end
from schedule_entries s join events e using (event_id), unnest(s.reminders) as wanted (before);

-- After this moment a notification is of no use outside the app: no mail and no push of it leaves.
alter table notifications add column good_until timestamptz;
