-- What visitors ask of deals, one function a question: deals_search, deals_search_count, deals_list, deals_list_count,
-- deals_on_map, deals_squares. Each begins with an example for psql; `explain analyze` before it shows its whole plan, as
-- PostgreSQL writes these functions into the statement that calls them. What is constant in a call, a null or a choice, leaves
-- the rest of the function out of the plan, so callers write nulls and choices into their text and only the values beside it.

-- What is asked for, without order and page.
create type deal_question as (
  -- what is live and open, and what ends soon
  at_minute timestamptz,
  -- the minute by which "best" orders: that of the first page, so that who pages on neither misses nor repeats a deal
  order_minute timestamptz,
  -- what begins before is "later today"
  tonight timestamptz,
  near_lat double precision,
  near_lon double precision,
  radius_km double precision,
  -- the box instead of the circle
  in_box boolean,
  west double precision,
  south double precision,
  east double precision,
  north double precision,
  -- folded, as search_query and search_terms make them
  words tsquery,
  -- so few live deals have the words that a search best begins with them
  rare_words boolean,
  -- the category that the words as a whole name: deals of it are found too
  words_category text,
  in_category text,
  -- a tag, folded, asked for like a category; with a category deals that have either
  tagged text,
  -- neither is asked for
  any_category boolean,
  open_now boolean,
  premium_only boolean,
  -- also what has not begun
  with_scheduled boolean
);

-- select deal_question(near_lat => 47.56, near_lon => 7.59, words => 'fondu', open_now => true);
create function deal_question(
  at_minute timestamptz default now(),
  order_minute timestamptz default null,
  tonight timestamptz default null,
  near_lat double precision default 47.5596,
  near_lon double precision default 7.5886,
  radius_km double precision default 5,
  in_box boolean default false,
  west double precision default null,
  south double precision default null,
  east double precision default null,
  north double precision default null,
  words tsquery default null,
  rare_words boolean default false,
  words_category text default null,
  in_category text default null,
  tagged text default null,
  -- callers whose category is a value say here what the plan cannot see
  any_category boolean default null,
  open_now boolean default false,
  premium_only boolean default false,
  with_scheduled boolean default false
) returns deal_question
language sql stable parallel safe
return row(
    at_minute, coalesce(order_minute, at_minute), coalesce(tonight, at_minute + interval '12 hours'),
    near_lat, near_lon, radius_km, in_box, west, south, east, north,
    words, rare_words, words_category, in_category, tagged, coalesce(any_category, in_category is null and tagged is null),
    open_now, premium_only, with_scheduled)::deal_question;

-- Conditions and columns of one deal. Their bodies are texts: PostgreSQL 15 alters no table whose rows a parsed body names.

-- Mercator in degrees, as deals.xy
create function deal_place(lat double precision, lon double precision) returns point
language sql immutable parallel safe
return point(lon, degrees(ln(tan(pi() / 4 + radians(greatest(-85.0, least(85.0, lat))) / 2))));

-- In the area as the index of places knows it: the box, or a circle with a rim of what may lie just outside. The scale of the plane
-- grows away from the equator, so the far edge of the circle decides how wide it is drawn; the thousandth is against what sphere
-- and plane round differently.
create function deal_is_around(d deals, q deal_question) returns boolean
language sql immutable parallel safe
as $$
  select case when q.in_box then d.xy <@ box(deal_place(q.south, q.west), deal_place(q.north, q.east))
    else d.xy <@ circle(
      deal_place(q.near_lat, q.near_lon),
      1.001 * q.radius_km / (111.195 * cosd(least(84.0, abs(q.near_lat) + q.radius_km / 111.195)))) end
$$;

create function deal_steps(d deals, q deal_question) returns double precision
language sql immutable parallel safe
as $$
  select d.xy <-> deal_place(q.near_lat, q.near_lon)
$$;

create function deal_km(d deals, q deal_question) returns double precision
language sql immutable parallel safe
as $$
  select km_between(q.near_lat, q.near_lon, d.latitude, d.longitude)
$$;

-- In the circle, or in the box: without the index of places, for deals that another index finds.
create function deal_is_inside(d deals, q deal_question) returns boolean
language sql immutable parallel safe
as $$
  select case when not q.in_box then deal_km(d, q) <= q.radius_km
    else d.latitude between q.south and q.north and d.longitude between q.west and q.east end
$$;

create function deal_is_usable(d deals, at_minute timestamptz) returns boolean
language sql immutable parallel safe
as $$
  select is_open(at_minute, coalesce(d.usable_changes, d.opening_changes))
$$;

-- Its own days and hours leave a time before `until`, where nobody knows the hours of its merchant.
create function deal_may_be_used(d deals, at_minute timestamptz, until timestamptz) returns boolean
language sql immutable parallel safe
as $$
  select case when d.active_days <> 127 or d.end_time is not null
    then cardinality(usable_changes(array[at_minute, until], d.active_days, d.start_time, d.end_time)) > 0
    else true end
$$;

-- How near its time is: 0 it can be used now, 1 it begins within two hours, 2 later today, 3 another day. Where the hours of
-- its merchant are unknown nobody knows: 2, or 3 where its own days and hours leave out the rest of today.
create function deal_phase(d deals, q deal_question) returns int
language sql stable parallel safe
as $$
  select case
    when q.open_now or deal_is_usable(d, q.order_minute) then 0
    when coalesce(d.hours_filled_until <= q.order_minute, true)
      then case when deal_may_be_used(d, q.order_minute, q.tonight) then 2 else 3 end
    when next_change(q.order_minute, coalesce(d.usable_changes, d.opening_changes)) <= q.order_minute + interval '2 hours' then 1
    when next_change(q.order_minute, coalesce(d.usable_changes, d.opening_changes)) < q.tonight then 2
    else 3 end
$$;

-- The last three hours in which it can be used.
create function deal_ends_soon(d deals, q deal_question) returns boolean
language sql stable parallel safe
as $$
  select d.over_at <= q.at_minute + interval '3 hours'
$$;

create function deal_is_premium(d deals, at_minute timestamptz) returns boolean
language sql immutable parallel safe
as $$
  select coalesce(d.premium_until > at_minute, false)
$$;

-- All that is asked for but words, category and place.
create function deal_fits(d deals, q deal_question) returns boolean
language sql immutable parallel safe
as $$
  select is_live(d.state, d.sold_out, case when q.with_scheduled then null else d.starts_at end, d.over_at, q.at_minute)
    and (not q.open_now or deal_is_usable(d, q.at_minute))
    and (not q.premium_only or deal_is_premium(d, q.at_minute))
$$;

-- The words, looked up deal by deal.
create function deal_says(d deals, q deal_question) returns boolean
language sql immutable parallel safe
as $$
  select q.words is null or d.doc @@ q.words or d.category = q.words_category
$$;

-- In the category and the tag asked for, looked up deal by deal.
create function deal_belongs(d deals, q deal_question) returns boolean
language sql immutable parallel safe
as $$
  select q.any_category or d.category = q.in_category
    or q.tagged is not null and d.facets @> array[q.tagged]
$$;

-- What an index of its own finds, wherever it lies: rare words, or else the tag, of other categories, so that none comes twice.
create function deal_is_looked_up(d deals, q deal_question) returns boolean
language sql immutable parallel safe
as $$
  select case when q.rare_words then d.doc @@ q.words and deal_belongs(d, q)
  else d.facets @> array[q.tagged] and d.category is distinct from q.in_category and deal_says(d, q) end
$$;

-- It was found by its words, not by its category alone.
create function deal_matches(d deals, q deal_question) returns boolean
language sql immutable parallel safe
as $$
  select q.words is not null and (q.words_category is null or d.doc @@ q.words)
$$;

-- By how many minutes on foot a deal counts as nearer than it is: 2 in the last three hours of a deal, 2 for each star above the
-- mean of 3.8, and up to 30 for how well the words match.
create function deal_bonus(d deals, q deal_question) returns double precision
language sql stable parallel safe
as $$
  select case when deal_ends_soon(d, q) then 2 else 0 end + 2 * (d.rating_bayes - 3.8)
    + case when q.words is null then 0 else 30 * coalesce(ts_rank(d.doc, q.words), 0) end
$$;

-- How much farther on the plane a deal must lie than another to come after it in `best`, or by true distance, whatever their bonuses,
-- which differ by ten minutes at most; infinity where that says nothing.
create function deal_margin(q deal_question, sorted_by text) returns double precision
language sql immutable parallel safe
return case when q.words is not null or q.in_box or abs(q.near_lat) + q.radius_km / 111.195 > 84 then 'infinity'
    else 1.001 * (case when sorted_by = 'best' then 10 / 16.25 else 0 end + q.radius_km * (
      cosd(greatest(0.0, abs(q.near_lat) - q.radius_km / 111.195)) / cosd(abs(q.near_lat) + q.radius_km / 111.195) - 1))
      / (111.195 * cosd(abs(q.near_lat) + q.radius_km / 111.195)) end;

-- select * from deals_nearest(deal_question(in_category => 'food'), null, 100, 24, 0.01);
-- At most `most` deals with a place, nearest first. `usable`: only those that can be used now, or that cannot; null: both. The index
-- of places hands them out outwards; the walk ends before `most` as soon as `enough` lie nearer by more than `margin`: the
-- condition of the window is what stops it. Deals of a tag or with rare words have indexes of their own.
create function deals_nearest(
  q deal_question, usable boolean, most bigint, enough bigint default 1, margin double precision default 'infinity')
returns table (
  deal_id uuid, version xid, distance_km double precision, ending_soon boolean, phase int, matched boolean,
  bonus double precision, rank bigint)
language sql stable parallel safe
as $$
  select deal_id, version, km, ending_soon, phase, matched, bonus, row_number() over (order by steps, deal_id)
  from (
    select deal_id, version, km, ending_soon, phase, matched, bonus, steps from (
      select * from (
        select d.deal_id, d.xmin as version, deal_km(d, q) as km, deal_ends_soon(d, q) as ending_soon,
          deal_phase(d, q) as phase, deal_matches(d, q) as matched, deal_bonus(d, q) as bonus, deal_steps(d, q) as steps,
          count(*) over (order by deal_steps(d, q) range between unbounded preceding and margin preceding) as nearer
        from deals d
        where deal_fits(d, q) and deal_says(d, q) and (q.any_category or d.category = q.in_category)
          and deal_is_around(d, q) and (q.in_box or deal_is_inside(d, q))
          and (usable is null or deal_is_usable(d, q.order_minute) = usable)) d
      where nearer < enough
      order by steps, deal_id limit most) d
    where not q.rare_words
    union all
    select * from (
      select d.deal_id, d.xmin, deal_km(d, q), deal_ends_soon(d, q), deal_phase(d, q), deal_matches(d, q), deal_bonus(d, q),
        deal_steps(d, q)
      from deals d
      where deal_fits(d, q) and deal_is_looked_up(d, q) and deal_is_inside(d, q)
        and (usable is null or deal_is_usable(d, q.order_minute) = usable)
      -- no order that the index of places has
      order by deal_steps(d, q) + 0, d.deal_id limit most) d
    where q.tagged is not null or q.rare_words
  ) d
  order by steps, deal_id limit most
$$;

-- select * from deals_without_place(deal_question(), 20);
-- Deals that are nowhere, newest first.
create function deals_without_place(q deal_question, most bigint)
returns table (
  deal_id uuid, version xid, distance_km double precision, ending_soon boolean, phase int, matched boolean,
  created_at timestamptz)
language sql stable parallel safe
as $$
  select d.deal_id, d.xmin, null::float8, deal_ends_soon(d, q), deal_phase(d, q), deal_matches(d, q), d.created_at
  from deals d
  where deal_fits(d, q) and deal_says(d, q) and deal_belongs(d, q) and d.latitude is null and not q.in_box
  order by d.created_at desc, d.deal_id desc limit most
$$;

-- When it can be used first, from now or its start on; null where nobody knows.
create function deal_next_use(d deals, q deal_question) returns timestamptz
language sql immutable parallel safe
as $$
  select case when d.hours_filled_until > greatest(q.at_minute, d.starts_at) then
    case when deal_is_usable(d, greatest(q.at_minute, d.starts_at)) then greatest(q.at_minute, d.starts_at)
    else nullif(
      next_change(greatest(q.at_minute, d.starts_at), coalesce(d.usable_changes, d.opening_changes)), d.hours_filled_until)
    end
  end
$$;

-- select * from deals_sorted(deal_question(radius_km => 50), 'rating', 20);
-- Deals with a place in another order than by distance, by `place` from 1 on: all that fit are looked at.
create function deals_sorted(q deal_question, sorted_by text, most bigint)
returns table (
  deal_id uuid, version xid, distance_km double precision, ending_soon boolean, phase int, matched boolean, place bigint)
language sql stable parallel safe
as $$
  select *, row_number() over () from (
    select d.deal_id, d.xmin, deal_km(d, q), deal_ends_soon(d, q), deal_phase(d, q), deal_matches(d, q)
    from deals d
    where deal_fits(d, q) and deal_says(d, q) and deal_belongs(d, q)
      and deal_is_around(d, q) and (q.in_box or deal_is_inside(d, q))
    order by
      case when sorted_by = 'rating' then d.rating_bayes end desc,
      case when sorted_by = 'new' then d.created_at end desc,
      case when sorted_by = 'ending_soon' then d.over_at end,
      case when sorted_by = 'soonest' then deal_next_use(d, q) end,
      case when sorted_by = 'soonest' then deal_steps(d, q) end,
      case when sorted_by in ('ending_soon', 'soonest') then d.deal_id end,
      d.deal_id desc
    limit most) d
$$;

-- select * from deals_paid(deal_question(), 0, null);
-- Paid places, by `place` from 0 on, at most three. By turn: of each business promoted now the nearest deal that fits, what can be
-- used now before others, in a fixed order in which the turn moves on by one. A paid place is no way past the clock: it shows
-- what can be used within two hours, or may be where nobody knows the hours. By ids: those of a first page, as long as they fit.
create function deals_paid(q deal_question, turn bigint, ids uuid[])
returns table (
  deal_id uuid, version xid, distance_km double precision, ending_soon boolean, phase int, matched boolean, place bigint)
language sql stable parallel safe
as $$
  select deal_id, version, distance_km, ending_soon, phase, matched, place
  from (
    select d.*, (row_number() over (order by b.business_id) - 1 + count(*) over () - turn % count(*) over ()) % count(*) over ()
      as place
    -- first the few that are promoted, by their own index, then their order
    from (select business_id from businesses where featured_until > q.at_minute offset 0) b
    cross join lateral (
      select d.deal_id, d.xmin, deal_km(d, q) as km, deal_ends_soon(d, q), deal_phase(d, q) as phase, deal_matches(d, q)
      from deals d
      where d.business_id = b.business_id
        and deal_fits(d, q) and deal_says(d, q) and deal_belongs(d, q) and deal_is_inside(d, q)
        and (deal_phase(d, q) < 2 or coalesce(d.hours_filled_until <= q.order_minute, true)
          and deal_may_be_used(d, q.order_minute, q.order_minute + interval '2 hours'))
      order by phase, km, d.deal_id limit 1
    ) d
    where turn is not null
  ) p (deal_id, version, distance_km, ending_soon, phase, matched, place)
  where place < 3
  union all
  select d.deal_id, d.xmin, deal_km(d, q), deal_ends_soon(d, q), deal_phase(d, q), deal_matches(d, q), p.place - 1
  from unnest(ids) with ordinality p (id, place) join deals d on d.deal_id = p.id
  where ids is not null and deal_fits(d, q) and deal_says(d, q) and deal_belongs(d, q) and deal_is_inside(d, q)
$$;

-- select * from deals_search_count(deal_question(words => 'fondu'), 201);
-- How many deals a search finds, counted no further than `most` a way. Those with the words are found by their index: to find two
-- hundred that are open, and here, a walk would see the whole area.
create function deals_search_count(q deal_question, most bigint)
returns table (found bigint)
language sql stable parallel safe
as $$
  select count(*) from (
    select from (
      select from deals d
      where deal_fits(d, q) and d.doc @@ q.words and deal_belongs(d, q)
        and (deal_is_inside(d, q) or not q.in_box and d.latitude is null)
      limit most) d
    where q.words is not null and q.words_category is null
    union all
    select from (
      select from deals d
      where deal_fits(d, q) and deal_says(d, q) and (q.any_category or d.category = q.in_category)
        and deal_is_around(d, q) and (q.in_box or deal_is_inside(d, q))
      limit most) d
    where q.words is null or q.words_category is not null
    union all
    select from (
      select from deals d where deal_fits(d, q) and deal_is_looked_up(d, q) and deal_is_inside(d, q) limit most) d
    where (q.words is null or q.words_category is not null) and q.tagged is not null
    union all
    select from deals_without_place(q, most) where (q.words is null or q.words_category is not null) and not q.in_box
  ) counted
$$;

-- select * from deals_search(deal_question(near_lat => 47.56, near_lon => 7.59, in_category => 'food'), page_size => 20);
-- One page of a search: paid places, then deals with a place in the order asked for, then those without, newest first.
-- `best` and `distance` take deals nearest first in groups of 100 and sort only within a group, by score or true distance: so pages
-- neither repeat nor skip, and a search never sorts more than the groups it shows. In `best` what can be used now comes first; then
-- the others in groups of 300, by how near their time is. The score is in walking minutes, smaller is better: the walk
-- (straight line × 1.3 at 80 m a minute) less the bonus. `total`: what is found in all, where the page is full.
create function deals_search(
  q deal_question,
  sorted_by text default 'best',
  page_offset int default 0,
  page_size int default 20,
  paid_turn bigint default null,
  paid_ids uuid[] default null,
  -- paid places of pages before: they keep their place in the order but are not handed out
  without_ids uuid[] default null,
  count_to int default null
)
returns table (
  deal_id uuid, version xid, distance_km double precision, ending_soon boolean, phase int, matched boolean,
  sponsored boolean, total bigint, all_paid uuid[])
language sql stable parallel safe
as $$
  with paid as materialized (select * from deals_paid(q, paid_turn, paid_ids)),
  first_group as materialized (
    select * from deals_nearest(
      q, case when sorted_by = 'best' and not q.open_now then true end,
      (page_offset + page_size + 102) / 100 * 100, page_offset + page_size + 3, deal_margin(q, sorted_by))
    where sorted_by in ('best', 'distance'))
  select deal_id, version, distance_km, ending_soon, phase, matched, part < 0,
    case when count_to is not null and count(*) over () = page_size
      then (select found from deals_search_count(q, count_to)) end,
    case when (paid_turn is not null or paid_ids is not null) and (page_offset > 0 or page_size < 3)
      then (select array_agg(deal_id order by place) from paid) end
  from (
    select * from (
      select deal_id, version, distance_km, ending_soon, phase, matched, -1 as part, place::float8 as key from paid
      where paid_turn is not null or paid_ids is not null
      union all
      select * from (
        select deal_id, version, distance_km, ending_soon, phase, matched, (rank - 1) / 100 as part,
          case when sorted_by = 'best' then distance_km * 16.25 - bonus else distance_km end as key
        from first_group
        where sorted_by in ('best', 'distance')
        union all
        select deal_id, version, distance_km, ending_soon, phase, matched, 1000 + (rank - 1) / 300,
          phase * 1e6 + distance_km * 16.25 - bonus
        from deals_nearest(q, false, (page_offset + page_size + 302) / 300 * 300)
        where sorted_by = 'best' and not q.open_now and (select count(*) from first_group) < page_offset + page_size + 3
        union all
        select deal_id, version, distance_km, ending_soon, phase, matched, 0, place
        from deals_sorted(q, sorted_by, page_offset + page_size + 3)
        where sorted_by not in ('best', 'distance')
        union all
        select deal_id, version, distance_km, ending_soon, phase, matched, 1000000, -extract(epoch from created_at)
        from deals_without_place(q, page_offset + page_size + 3)
        where not q.in_box
      ) d
      where (paid_turn is null and paid_ids is null or deal_id not in (select deal_id from paid))
        and (without_ids is null or deal_id <> all (without_ids))
    ) d
    order by part, key, deal_id limit page_size offset page_offset
  ) d
  order by part, key, deal_id
$$;

-- "Ending soon" has what has an end, by the last use, which may be long before the end that is printed.
create function deal_is_in_list(d deals, sorted_by text) returns boolean
language sql immutable parallel safe
as $$
  select sorted_by <> 'ending_soon' or d.over_at < 'infinity'
$$;

-- select * from deals_list_count(deal_question(in_category => 'food'), 'new', 1001);
-- How many deals a list has, counted no further than `most` a way: in the order of an index that holds all that is asked, so that
-- counting reads no rows.
create function deals_list_count(q deal_question, sorted_by text, most bigint)
returns table (found bigint)
language sql stable parallel safe
as $$
  select count(*) from (
    select from (
      select from deals d
      where deal_fits(d, q) and d.doc @@ q.words and deal_belongs(d, q) and deal_is_in_list(d, sorted_by)
      limit most) d
    where q.words is not null and q.words_category is null
    union all
    select from (
      select from deals d
      where deal_fits(d, q) and deal_says(d, q) and (q.any_category or d.category = q.in_category)
        and deal_is_in_list(d, sorted_by)
      order by
        case when sorted_by = 'ending_soon' then d.over_at end,
        case when sorted_by = 'ending_soon' then d.deal_id end,
        case when sorted_by <> 'ending_soon' then d.created_at end desc,
        case when sorted_by <> 'ending_soon' then d.deal_id end desc
      limit most) d
    where q.words is null or q.words_category is not null
    union all
    select from (
      select from deals d where deal_fits(d, q) and deal_is_looked_up(d, q) and deal_is_in_list(d, sorted_by) limit most) d
    where (q.words is null or q.words_category is not null) and q.tagged is not null
  ) counted
$$;

create function deal_comes_after(
  d deals, sorted_by text, after_id uuid, after_instant timestamptz, after_rating double precision) returns boolean
language sql immutable parallel safe
as $$
  select case sorted_by
  when 'new' then (d.created_at, d.deal_id)
    < (coalesce(after_instant, 'infinity'), coalesce(after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  when 'rating' then (d.rating_bayes, d.deal_id)
    < (coalesce(after_rating, 'infinity'), coalesce(after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  else (d.over_at, d.deal_id)
    > (coalesce(after_instant, '-infinity'), coalesce(after_id, '00000000-0000-0000-0000-000000000000')) end
$$;

-- select * from deals_list(deal_question(words => 'fondu'), 'ending_soon');
-- All live deals in one order, after the deal `after_id` whose instant or rating is given. `total`: of the whole list, where the page is
-- full; behind a deal nobody knows how many came before.
create function deals_list(
  q deal_question,
  sorted_by text default 'new',
  after_id uuid default null,
  after_instant timestamptz default null,
  after_rating double precision default null,
  page_offset int default 0,
  page_size int default 20,
  count_to int default null
)
returns table (deal_id uuid, version xid, total bigint)
language sql stable parallel safe
as $$
  select deal_id, version,
    case when count_to is not null and after_id is null and count(*) over () = page_size
      then (select found from deals_list_count(q, sorted_by, count_to)) end
  from (
    select * from (
      select * from (
        select d.deal_id, d.xmin as version, d.created_at, d.over_at, d.rating_bayes
        from deals d
        where deal_fits(d, q) and deal_says(d, q) and (q.any_category or d.category = q.in_category)
          and deal_is_in_list(d, sorted_by) and deal_comes_after(d, sorted_by, after_id, after_instant, after_rating)
        order by
          case when sorted_by = 'rating' then d.rating_bayes end desc,
          case when sorted_by = 'new' then d.created_at end desc,
          case when sorted_by = 'ending_soon' then d.over_at end,
          case when sorted_by = 'ending_soon' then d.deal_id end, d.deal_id desc
        limit page_offset + page_size) d
      where not q.rare_words
      union all
      select * from (
        select d.deal_id, d.xmin, d.created_at, d.over_at, d.rating_bayes
        from deals d
        where deal_fits(d, q) and deal_is_looked_up(d, q)
          and deal_is_in_list(d, sorted_by) and deal_comes_after(d, sorted_by, after_id, after_instant, after_rating)
        -- else the planner would walk the whole list
        offset 0) d
      where q.tagged is not null or q.rare_words
    ) d
    order by
      case when sorted_by = 'rating' then rating_bayes end desc,
      case when sorted_by = 'new' then created_at end desc,
      case when sorted_by = 'ending_soon' then over_at end,
      case when sorted_by = 'ending_soon' then deal_id end, deal_id desc
    limit page_size offset page_offset) d
$$;

-- select * from deals_map(deal_question(in_box => true, west => 7.5, south => 47.5, east => 7.7, north => 47.6), 0.005);
-- A map of an area: its deals if there are no more than `most`, premium first; else at most `most_premium` premium ones and, of the rest,
-- how many there are in each square of a grid, at their mean place (a row without `deal_id`; one alone in its square is itself).
create function deals_map(q deal_question, cell_degrees double precision, most bigint default 2000, most_premium bigint default 500)
returns table (
  deal_id uuid, deal_name text, description text, price text, discount text, latitude double precision,
  longitude double precision, category text, is_premium boolean, use_time text, square bigint, square_premium bigint)
language sql stable parallel safe
as $$
  with found as materialized (
    select d.deal_id, d.latitude, d.longitude, d.xy, deal_is_premium(d, q.at_minute) as is_premium
    from deals d
    where deal_fits(d, q) and deal_says(d, q) and deal_belongs(d, q)
      and deal_is_around(d, q) and (q.in_box or deal_is_inside(d, q))),
  single as materialized (
    select f.deal_id from found f where (select count(*) from found) <= most
    union all
    (select f.deal_id from found f where f.is_premium and (select count(*) from found) > most order by f.deal_id limit most_premium)),
  squares as materialized (
    select count(*) as deals, count(*) filter (where f.is_premium) as premium, round(avg(f.latitude)::numeric, 5)::float8 as latitude,
      round(avg(f.longitude)::numeric, 5)::float8 as longitude, min(f.deal_id::text)::uuid as first
    from found f where (select count(*) from found) > most and f.deal_id not in (select s.deal_id from single s)
    group by floor(f.xy[0] / cell_degrees), floor(f.xy[1] / cell_degrees)
    order by deals desc limit 2000)
  select * from (
    select d.deal_id, d.deal_name, d.description, d.price, d.discount, d.latitude, d.longitude, d.category,
      deal_is_premium(d, q.at_minute) as is_premium,
      case when not deal_is_usable(d, q.at_minute) then 'later' when deal_ends_soon(d, q) then 'ending' else 'now' end,
      null::bigint as square, null::bigint
    from (select s.deal_id from single s union all select s.first from squares s where s.deals = 1) s
    join deals d on d.deal_id = s.deal_id
    union all
    select null, null, null, null, null, s.latitude, s.longitude, null, null, null, s.deals, s.premium
    from squares s where s.deals > 1
  ) d
  order by square desc nulls first, is_premium desc, deal_id
$$;

-- select * from deals_saying('fondu', now());
-- How many live deals have the words, counted up to where they are no longer few. Fewer than one in fifty of all are looked at one
-- by one sooner than a neighbourhood is walked, which would see most deals before it had a hundred. How many there are is what the
-- last `analyze` counted.
create function deals_saying(words tsquery, at_minute timestamptz)
returns table (found bigint, are_few boolean)
language sql stable parallel safe
as $$
  select found, found < most
  from (select greatest(100, least(2000, reltuples / 50))::bigint as most from pg_class where oid = 'deals'::regclass) m
  cross join lateral (
    select count(*) as found from (
      select from deals d
      where d.doc @@ words and is_live(d.state, d.sold_out, d.starts_at, d.over_at, at_minute) limit most) d) f
$$;
