-- Deals by price: at most so much, and the cheapest first.

-- Its amount; deals without one count as dearer than all others.
create function deal_rappen(d deals) returns int
language sql immutable parallel safe
as $$
  select coalesce(d.price_rappen, 2147483647)
$$;
-- serves the list in the order of the price
create index deals_by_price on deals (coalesce(price_rappen, 2147483647), deal_id)
  where state = 'published' and not sold_out;

-- null: any price
alter type deal_question add attribute max_rappen int;
-- The functions of the release before this one stay beside these: it calls them without a price.
create function deal_question(
  max_rappen int,
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
    open_now, premium_only, with_scheduled, max_rappen)::deal_question;

create or replace function deal_fits(d deals, q deal_question) returns boolean
language sql immutable parallel safe
as $$
  select is_live(d.state, d.sold_out, case when q.with_scheduled then null else d.starts_at end, d.over_at, q.at_minute)
    and (not q.open_now or deal_is_usable(d, q.at_minute))
    and (not q.premium_only or deal_is_premium(d, q.at_minute))
    and (q.max_rappen is null or d.price_rappen <= q.max_rappen)
$$;

create or replace function deals_sorted(q deal_question, sorted_by text, most bigint)
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
      case when sorted_by = 'price' then deal_rappen(d) end,
      case when sorted_by = 'soonest' then deal_next_use(d, q) end,
      case when sorted_by = 'soonest' then deal_steps(d, q) end,
      case when sorted_by in ('ending_soon', 'price', 'soonest') then d.deal_id end,
      d.deal_id desc
    limit most) d
$$;

create function deal_comes_after(
  d deals, sorted_by text, after_id uuid, after_instant timestamptz, after_rating double precision,
  after_rappen int) returns boolean
language sql immutable parallel safe
as $$
  select case sorted_by
  when 'new' then (d.created_at, d.deal_id)
    < (coalesce(after_instant, 'infinity'), coalesce(after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  when 'rating' then (d.rating_bayes, d.deal_id)
    < (coalesce(after_rating, 'infinity'), coalesce(after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
  when 'price' then (deal_rappen(d), d.deal_id)
    > (coalesce(after_rappen, -1), coalesce(after_id, '00000000-0000-0000-0000-000000000000'))
  else (d.over_at, d.deal_id)
    > (coalesce(after_instant, '-infinity'), coalesce(after_id, '00000000-0000-0000-0000-000000000000')) end
$$;

create function deals_list(
  q deal_question,
  after_rappen int,
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
        select d.deal_id, d.xmin as version, d.created_at, d.over_at, d.rating_bayes, deal_rappen(d) as rappen
        from deals d
        where deal_fits(d, q) and deal_says(d, q) and (q.any_category or d.category = q.in_category)
          and deal_is_in_list(d, sorted_by) and deal_comes_after(d, sorted_by, after_id, after_instant, after_rating, after_rappen)
        order by
          case when sorted_by = 'rating' then d.rating_bayes end desc,
          case when sorted_by = 'new' then d.created_at end desc,
          case when sorted_by = 'ending_soon' then d.over_at end,
          case when sorted_by = 'price' then deal_rappen(d) end,
          case when sorted_by in ('ending_soon', 'price') then d.deal_id end, d.deal_id desc
        limit page_offset + page_size) d
      where not q.rare_words
      union all
      select * from (
        select d.deal_id, d.xmin, d.created_at, d.over_at, d.rating_bayes, deal_rappen(d)
        from deals d
        where deal_fits(d, q) and deal_is_looked_up(d, q)
          and deal_is_in_list(d, sorted_by) and deal_comes_after(d, sorted_by, after_id, after_instant, after_rating, after_rappen)
        -- else the planner would walk the whole list
        offset 0) d
      where q.tagged is not null or q.rare_words
    ) d
    order by
      case when sorted_by = 'rating' then rating_bayes end desc,
      case when sorted_by = 'new' then created_at end desc,
      case when sorted_by = 'ending_soon' then over_at end,
      case when sorted_by = 'price' then rappen end,
      case when sorted_by in ('ending_soon', 'price') then deal_id end, deal_id desc
    limit page_size offset page_offset) d
$$;
