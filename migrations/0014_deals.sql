create function premium_until(b businesses) returns timestamptz
language sql immutable parallel safe
return case when b.subscription_tier <> 'FREE' then 'infinity' else b.featured_until end;

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

-- in words; 'active' is what is live; a hidden deal is to everybody as an archived one
create or replace function deal_status(
  state text, sold_out boolean, starts_at timestamptz, over_at timestamptz, at timestamptz) returns text
language sql immutable parallel safe
return case
  when state = 'hidden' then 'archived'
  when state in ('archived', 'draft') then state
  when over_at <= at then 'expired'
  when state = 'paused' then 'paused'
  when sold_out then 'sold_out'
  when starts_at > at then 'scheduled'
  else 'active'
end;

-- What a search looks at stands before the long texts: a row is read from its beginning.
create table deals (
  deal_id uuid primary key,
  business_id uuid not null references businesses on delete cascade,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- what the merchant decided; scheduled, sold out and expired follow from times and limits
  state text not null default 'published' check (state in ('draft', 'published', 'paused', 'archived', 'hidden')),
  -- what it was before staff hid it: hidden, it vanishes from every public answer, and its merchant cannot bring it back
  hidden_from text check (hidden_from in ('draft', 'published', 'paused', 'archived')),
  -- hidden because its merchant is suspended or leaving: `is_live` and every index know it as any hidden deal
  hidden_with_merchant boolean not null default false,
  -- whether it is paused because the merchant's plan had no room for it, so that all of these can come back together
  paused_by_plan boolean not null default false,
  category text not null default 'other'
    check (category in ('food', 'drinks', 'nightlife', 'shopping', 'culture', 'wellness', 'other')),
  redeemed_count int not null default 0 check (redeemed_count >= 0),
  total_limit int check (total_limit > 0),
  -- its own column, so that indexes leave sold-out deals out and a redemption that is not the last touches none
  sold_out boolean not null generated always as (coalesce(redeemed_count >= total_limit, false)) stored,
  starts_at timestamptz,
  ends_at timestamptz,
  -- bit 0 = Monday … bit 6 = Sunday; null: every day
  active_days smallint check (active_days between 1 and 127),
  start_time time,
  end_time time,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  -- Mercator in degrees. The projection keeps angles, so near any place straight-line order on it is order by
  -- distance, and the GiST index can walk outwards from a visitor: no extension with its own geometry is needed.
  xy point generated always as (
    point(longitude, degrees(ln(tan(pi() / 4 + radians(greatest(-85.0, least(85.0, latitude))) / 2))))
  ) stored,
  rating_count int not null default 0,
  rating_sum int not null default 0,
  -- (5 × 3.8 + sum) / (5 + n), by which "rating" sorts
  rating_bayes double precision not null
    generated always as ((5 * 3.8 + rating_sum) / (5 + rating_count)) stored,
  -- Copied from the merchant by triggers, never written by hand (business_name below too): a search, a list and one deal
  -- read one row for each deal and join nothing. is_premium until then: for ever with a subscription, else until a
  -- promotion ends.
  premium_until timestamptz,
  -- null: the hours are unknown
  hours_filled_until timestamptz,
  opening_changes timestamptz[] not null default '{}',
  -- both filled by a trigger, never written by hand
  usable_changes timestamptz[],
  over_at timestamptz not null default 'infinity',
  business_name text not null default '',
  deal_name text not null check (char_length(deal_name) between 1 and 80),
  price text check (char_length(price) <= 60),
  discount text check (char_length(discount) <= 60),
  tags text[] not null default '{}',
  -- the tags in folded form, to be asked for like a category
  facets text[] not null default '{}',
  terms text check (char_length(terms) <= 1000),
  image_url text,
  price_rappen int check (price_rappen >= 0),
  regular_price_rappen int check (regular_price_rappen >= 0),
  regular_price_since date,
  per_user_limit int not null default 1 check (per_user_limit > 0),
  redemption_mode text not null default 'none' check (redemption_mode in ('none', 'code')),
  description text check (char_length(description) <= 2000),
  -- The language that a merchant's words are in, guessed when they are written; null: they do not tell. Pages mark words that
  -- are not in their own language with it.
  lang text check (lang in ('en', 'de', 'fr', 'it')),
  -- weights: A name, B tags and merchant, D description; kept by triggers
  doc tsvector not null default '',
  check ((latitude is null) = (longitude is null)),
  check (ends_at > starts_at),
  constraint deals_hidden_check check ((state = 'hidden') = (hidden_from is not null)),
  constraint deals_hidden_with_merchant_check check (not hidden_with_merchant or state = 'hidden'),
  check (start_time is null or end_time is not null)
)
-- room on each page for what changes often (openings, redemptions), so that these changes touch no index
with (fillfactor = 85);
-- What every list shows is published and not sold out, so the indexes hold nothing else; where a list is counted they
-- also carry what decides whether a deal is live, to count without the rows.

-- serves the list, newest first, and its count
create index deals_newest on deals (created_at desc, deal_id desc) include (starts_at, over_at)
  where state = 'published' and not sold_out;
-- serves the list of one category, newest first, and its count
create index deals_newest_of_category on deals (category, created_at desc, deal_id desc) include (starts_at, over_at)
  where state = 'published' and not sold_out;
-- serves nearest first, of one category and of all. There is no second index on xy alone: the planner takes a circle to
-- hold a thousandth of all deals wherever it lies, so it would prefer that one and read seven times too many rows. It also
-- holds what decides whether a deal is live and inside the circle, so that counting what a place has around it reads the
-- index alone.
create index deals_near on deals using gist (category, xy) include (starts_at, over_at, latitude, longitude)
  where state = 'published' and not sold_out;
-- serves search by words
create index deals_by_words on deals using gin (doc) where state = 'published' and not sold_out;
-- serves a tag asked for like a category
create index deals_by_facet on deals using gin (facets) where state = 'published' and not sold_out;
-- serves "ending soon": in the order of the last moment at which a deal can be used, as the badge tells it
create index deals_ending on deals (over_at, deal_id) include (starts_at)
  where state = 'published' and not sold_out;
-- serves "best rated" of the whole list
create index deals_rated on deals (rating_bayes desc, deal_id desc) where state = 'published' and not sold_out;
-- serves the deals of one business
create index deals_of_business on deals (business_id, created_at desc, deal_id desc);
-- serves what comes after all deals with a place
create index deals_without_place on deals (created_at desc, deal_id desc)
  where state = 'published' and not sold_out and latitude is null;
-- serves the nightly deletion: which of the uploaded pictures a deal shows
create index deals_by_picture on deals (image_url) where image_url is not null;

create function deal_doc(deal_name text, tags text[], business_name text, description text) returns tsvector
language sql immutable parallel safe
return setweight(to_tsvector('simple', search_fold(deal_name)), 'A')
  || setweight(to_tsvector('simple', search_fold(array_to_string(tags, ' ') || ' ' || business_name)), 'B')
  || setweight(to_tsvector('simple', search_fold(coalesce(description, ''))), 'D');

create function fill_deal_doc() returns trigger
language plpgsql
as $$
declare
  merchant businesses;
begin
  -- held until the end of the transaction: a change of the merchant comes before (and is read here) or after (and finds
  -- this deal), never unseen in between
  select * into merchant from businesses where business_id = new.business_id for share;
  new.business_name := coalesce(merchant.business_name, '');
  new.premium_until := premium_until(merchant);
  new.opening_changes := coalesce(merchant.opening_changes, '{}');
  new.hours_filled_until := case when merchant.hours_known then merchant.hours_filled_until end;
  new.facets := array(select distinct trim(search_fold(tag)) from unnest(new.tags) tag);
  new.doc := deal_doc(new.deal_name, new.tags, new.business_name, new.description);
  call learn_search_words(
    search_fold(new.deal_name || ' ' || array_to_string(new.tags, ' ') || ' ' || new.business_name || ' ' || coalesce(new.description, '')));
  return new;
end
$$;
create trigger deals_fill_doc before insert or update of deal_name, tags, description, business_id on deals
for each row execute function fill_deal_doc();

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

-- by its name after deals_fill_doc, which copies the openings
create trigger deals_find_over before insert or update of
  business_id, starts_at, ends_at, active_days, start_time, end_time, opening_changes, hours_filled_until on deals
for each row execute function find_deal_over();

create function refill_deal_docs() returns trigger
language plpgsql
as $$
begin
  call learn_search_words(search_fold(new.business_name));
  update deals set business_name = new.business_name, doc = deal_doc(deal_name, tags, new.business_name, description)
  where business_id = new.business_id;
  return null;
end
$$;
create trigger businesses_refill_deal_docs after update of business_name on businesses
for each row when (old.business_name is distinct from new.business_name) execute function refill_deal_docs();

create function copy_business_to_deals() returns trigger
language plpgsql
as $$
begin
  update deals set
    premium_until = premium_until(new), opening_changes = new.opening_changes,
    hours_filled_until = case when new.hours_known then new.hours_filled_until end
  where business_id = new.business_id;
  return null;
end
$$;
create trigger businesses_copy_to_deals
after update of subscription_tier, featured_until, opening_changes, hours_known, hours_filled_until on businesses
for each row when (
  (old.subscription_tier, old.featured_until, old.opening_changes, old.hours_known, old.hours_filled_until)
  is distinct from (new.subscription_tier, new.featured_until, new.opening_changes, new.hours_known, new.hours_filled_until)
) execute function copy_business_to_deals();

-- A deal stands where its merchant stands unless it says otherwise, so it moves along.
create function move_deals_along() returns trigger
language plpgsql
as $$
begin
  update deals set latitude = new.latitude, longitude = new.longitude
  where business_id = new.business_id
    and latitude is not distinct from old.latitude and longitude is not distinct from old.longitude;
  return null;
end
$$;
create trigger businesses_move_deals_along after update of latitude, longitude on businesses
for each row when ((old.latitude, old.longitude) is distinct from (new.latitude, new.longitude))
execute function move_deals_along();

-- PostgreSQL writes the following functions into the statements that call them, so they cost nothing there; a statement's
-- own text is better short, because it is copied each time it runs.

-- great-circle distance
create function km_between(lat1 double precision, lon1 double precision, lat2 double precision, lon2 double precision)
returns double precision
language sql immutable parallel safe
return 12742.0176 * asin(least(1, sqrt(
  sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lon2 - lon1) / 2) ^ 2)));

-- The days and hours of a deal hold at the time `clock` of a day whose bit is `today`. An end before the start crosses
-- midnight and belongs to the day it began on, so after midnight the bit of `yesterday` counts.
create function in_own_hours(active_days smallint, start_time time, end_time time, clock time, today int, yesterday int)
returns boolean
language sql immutable parallel safe
return case
  when start_time is null then active_days is null or active_days & today <> 0
  when start_time <= end_time then clock >= start_time and clock < end_time
    and (active_days is null or active_days & today <> 0)
  when clock >= start_time then active_days is null or active_days & today <> 0
  when clock < end_time then active_days is null or active_days & yesterday <> 0
  else false
end;
