-- When a deal can be used: its own days and hours within its merchant's openings, as the same kind of array (from, until,
-- from, until …). Null for a deal without days and hours of its own, which follows the openings, and where the merchant's
-- hours are unknown. Local times are Swiss, as those of openings are.
create function usable_changes(opening timestamptz[], days smallint, first time, last time) returns timestamptz[]
language sql immutable parallel safe
return case when days is null and last is null then null else coalesce((
  select array_agg(t order by t)
  from unnest(
    (select range_agg(tstzrange(opening[i], coalesce(opening[i + 1], 'infinity')))
      from generate_series(1, cardinality(opening), 2) i)
    * (select range_agg(tstzrange(w.first, w.last)) from (
        select
          (day + coalesce(first, '00:00')) at time zone 'Europe/Zurich' as first,
          -- an end that does not come after the start is after midnight, of the day it began on
          (day + coalesce(last, '00:00')
            + case when coalesce(last, '00:00') <= coalesce(first, '00:00') then interval '1 day' else interval '0' end
          ) at time zone 'Europe/Zurich' as last
        from generate_series(
          date_trunc('day', opening[1] at time zone 'Europe/Zurich') - interval '1 day',
          opening[cardinality(opening)] at time zone 'Europe/Zurich', interval '1 day') day
        where days is null or days & (1 << (extract(isodow from day)::int - 1)) <> 0
      ) w where w.first < w.last)
  ) r, lateral (values (lower(r)), (upper(r))) v (t)
), '{}') end;

-- The last moment at which a deal can be used; 'infinity' without an end. `changes` are its usable moments up to `known`,
-- beyond which the openings are not known; `known` null: they never are. A deal that ends beyond what is known can be
-- used until it ends, unless it never meets the same hours of each week (`weekly`).
create function deal_over_at(
  starts_at timestamptz, ends_at timestamptz, known timestamptz, changes timestamptz[], weekly boolean)
returns timestamptz
language sql immutable parallel safe
return case
  when known is null then coalesce(ends_at, 'infinity')
  when ends_at <= known then coalesce((
    select max(least(coalesce(changes[i + 1], 'infinity'), ends_at)) from generate_series(1, cardinality(changes), 2) i
    where changes[i] < ends_at and (starts_at is null or coalesce(changes[i + 1], 'infinity') > starts_at)), '-infinity')
  when weekly and cardinality(changes) = 0 then '-infinity'
  else coalesce(ends_at, 'infinity')
end;

-- The one rule that says which deals are live: what lists, searches, maps and counts show.
create function is_live(
  state text, sold_out boolean, starts_at timestamptz, over_at timestamptz, at timestamptz) returns boolean
language sql immutable parallel safe
return state = 'published' and not sold_out and (starts_at is null or starts_at <= at) and over_at > at;

-- In words; 'active' is what is live.
create function deal_status(
  state text, sold_out boolean, starts_at timestamptz, over_at timestamptz, at timestamptz) returns text
language sql immutable parallel safe
return case
  when state in ('archived', 'draft') then state
  when over_at <= at then 'expired'
  when state = 'paused' then 'paused'
  when sold_out then 'sold_out'
  when starts_at > at then 'scheduled'
  else 'active'
end;

alter table deals
  -- both kept by a trigger, never written by hand
  add column usable_changes timestamptz[],
  add column over_at timestamptz not null default 'infinity';

create function find_deal_over() returns trigger
language plpgsql
as $$
declare
  changes timestamptz[];
  weekly boolean := false;
begin
  new.usable_changes := case when new.hours_filled_until is not null
    then usable_changes(new.opening_changes, new.active_days, new.start_time, new.end_time) end;
  changes := coalesce(new.usable_changes, new.opening_changes);
  if cardinality(changes) = 0 and new.hours_filled_until is not null then
    select coalesce(
      jsonb_array_length(opening_week->'seasons') = 1 and jsonb_array_length(opening_week->'exceptions') = 0, false)
    into weekly from businesses where business_id = new.business_id;
  end if;
  new.over_at := deal_over_at(new.starts_at, new.ends_at, new.hours_filled_until, changes, weekly);
  return new;
end
$$;
-- by its name after deals_fill_doc, which copies the openings
create trigger deals_find_over before insert or update of
  business_id, starts_at, ends_at, active_days, start_time, end_time, opening_changes, hours_filled_until on deals
for each row execute function find_deal_over();

update deals set opening_changes = opening_changes;

-- as before, with what now decides whether a deal is live
drop index deals_newest, deals_newest_of_category, deals_near, deals_ending;
create index deals_newest on deals (created_at desc, deal_id desc) include (starts_at, over_at)
  where state = 'published' and not sold_out;
create index deals_newest_of_category on deals (category, created_at desc, deal_id desc) include (starts_at, over_at)
  where state = 'published' and not sold_out;
create index deals_near on deals using gist (category, xy) include (starts_at, over_at, latitude, longitude)
  where state = 'published' and not sold_out;
create index deals_ending on deals (ends_at, deal_id) include (starts_at, over_at)
  where state = 'published' and not sold_out;
