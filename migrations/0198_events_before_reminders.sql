-- Holds events until the end of the transaction, in the order of their ids, so that two who hold several never wait for each other.
create function hold_events(ids uuid[]) returns boolean
language plpgsql
as $$
begin
  perform from events where event_id = any (ids) order by event_id for no key update;
  return true;
end
$$;

-- A change of the reminders of an entry holds the event before it touches the reminders, as a change of the event does: each waited for the
-- other, and one of the two failed.
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
