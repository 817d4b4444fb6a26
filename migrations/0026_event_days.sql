-- All-day events, and events of more than a day, which appear on each of their days.
alter table events
  -- true: the event has days, no times; it starts at 06:00 and ends at 06:00 of the day after the last
  add column all_day boolean not null default false,
  -- The festival day on which the event ends, later than festival_day only for all-day events and those of more than 24 hours.
  -- '-infinity': an event of one day that was written before this migration; it reads as festival_day. Nobody can read events
  -- while the migration runs, and writing 20,000 rows takes seconds.
  -- The release before this migration does not write the column: the trigger below replaces the default.
  add column last_day date not null default '-infinity';
update events
-- 06:00 ends a day, also the last one
set last_day = greatest(festival_day, (over_at at time zone 'Europe/Zurich' - interval '6 hours 1 microsecond')::date)
where over_at - starts_at > interval '24 hours';
-- serves the programme of a day, and the days of the programme: events that go on after their first day
create index events_of_many_days on events (last_day, festival_day) where last_day > festival_day;

-- no check: it could refuse rows of the release before this one, and the trigger keeps the rule
create function events_fill_last_day() returns trigger language plpgsql as $$
begin
  -- the release before this one writes new times and leaves last_day as it is
  if (case when tg_op = 'INSERT' then new.last_day = '-infinity'
     else new.last_day = old.last_day and (new.festival_day, new.over_at) is distinct from (old.festival_day, old.over_at) end)
  then
    new.last_day := case
      when new.over_at - new.starts_at > interval '24 hours'
      then (new.over_at at time zone 'Europe/Zurich' - interval '6 hours 1 microsecond')::date
      else new.festival_day end;
  end if;
  new.last_day := greatest(new.last_day, new.festival_day);
  return new;
end $$;
create trigger events_fill_last_day before insert or update of festival_day, last_day, over_at on events
  for each row execute function events_fill_last_day();
