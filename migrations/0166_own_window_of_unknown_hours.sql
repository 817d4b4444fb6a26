-- A deal of a merchant whose hours are unknown has its own days and hours all the same: it is over when these do not come
-- again before it ends ("Sundays, ends on Saturday"). The place counts as open all the time; a deal without an end never is
-- over. Windows begin at most a week apart, so the last nine days before its end hold the last one.
create or replace function find_deal_over() returns trigger
language plpgsql
as $$
declare
  changes timestamptz[];
  weekly boolean := false;
  always timestamptz[];
begin
  if new.hours_filled_until is null then
    new.usable_changes := null;
    always := array[new.ends_at - interval '9 days', new.ends_at];
    changes := case when new.ends_at is not null
      then usable_changes(always, new.active_days, new.start_time, new.end_time) end;
    new.over_at := case when changes is null then coalesce(new.ends_at, 'infinity')
      else deal_over_at(new.starts_at, new.ends_at, new.ends_at, changes, false) end;
    return new;
  end if;
  new.usable_changes := usable_changes(new.opening_changes, new.active_days, new.start_time, new.end_time);
  changes := coalesce(new.usable_changes, new.opening_changes);
  if cardinality(changes) = 0 then
    select coalesce(
      jsonb_array_length(opening_week->'seasons') = 1 and jsonb_array_length(opening_week->'exceptions') = 0, false)
    into weekly from businesses where business_id = new.business_id;
  end if;
  new.over_at := deal_over_at(new.starts_at, new.ends_at, new.hours_filled_until, changes, weekly);
  return new;
end
$$;

update deals set opening_changes = opening_changes
where hours_filled_until is null and ends_at is not null and (active_days is not null or end_time is not null);
