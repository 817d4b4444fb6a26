-- What a search looks at stands before the long texts: a row is read from its beginning.
create table deals (
  deal_id uuid primary key,
  business_id uuid not null references businesses on delete cascade,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- what the merchant decided; scheduled, sold out and expired follow from times and limits
  state text not null default 'published' check (state in ('draft', 'published', 'paused', 'archived')),
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
  -- drawn by lot, from the random part of the id: every eighth deal has 0 in its last three bits, every 64th in six, so
  -- that a map of very many deals can count a part of them
  lot int not null generated always as (('x' || right(deal_id::text, 6))::bit(24)::int) stored,
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
  -- weights: A name, B tags and merchant, D description; kept by triggers
  doc tsvector not null default '',
  check ((latitude is null) = (longitude is null)),
  check (ends_at > starts_at),
  check (start_time is null or end_time is not null)
)
-- room on each page for what changes often (openings, redemptions), so that these changes touch no index
with (fillfactor = 85);
-- What every list shows is published and not sold out, so the indexes hold nothing else; where a list is counted they
-- also carry when a deal begins and ends, to count without the rows.

-- serves the list, newest first, and its count
create index deals_newest on deals (created_at desc, deal_id desc) include (starts_at, ends_at)
  where state = 'published' and not sold_out;
-- serves the list of one category, newest first, and its count
create index deals_newest_of_category on deals (category, created_at desc, deal_id desc) include (starts_at, ends_at)
  where state = 'published' and not sold_out;
-- serves nearest first, of one category and of all. There is no second index on xy alone: the planner takes a circle to
-- hold a thousandth of all deals wherever it lies, so it would prefer that one and read seven times too many rows.
create index deals_near on deals using gist (category, xy) where state = 'published' and not sold_out;
-- serve maps of very many deals, of which they count a part
create index deals_near_8th on deals using gist (xy) where state = 'published' and not sold_out and lot & 7 = 0;
create index deals_near_64th on deals using gist (xy) where state = 'published' and not sold_out and lot & 63 = 0;
create index deals_near_512th on deals using gist (xy) where state = 'published' and not sold_out and lot & 511 = 0;
-- serves search by words
create index deals_by_words on deals using gin (doc) where state = 'published' and not sold_out;
-- serves a tag asked for like a category
create index deals_by_facet on deals using gin (facets) where state = 'published' and not sold_out;
-- serves "ending soon"
create index deals_ending on deals (ends_at, deal_id) include (starts_at) where state = 'published' and not sold_out;
-- serves "best rated" of the whole list
create index deals_rated on deals (rating_bayes desc, deal_id desc) where state = 'published' and not sold_out;
-- serves the deals of one business
create index deals_of_business on deals (business_id, created_at desc, deal_id desc);
-- serves what comes after all deals with a place
create index deals_without_place on deals (created_at desc, deal_id desc)
  where state = 'published' and not sold_out and latitude is null;

create function deal_doc(deal_name text, tags text[], business_name text, description text) returns tsvector
language sql immutable parallel safe
return setweight(to_tsvector('simple', search_fold(deal_name)), 'A')
  || setweight(to_tsvector('simple', search_fold(array_to_string(tags, ' ') || ' ' || business_name)), 'B')
  || setweight(to_tsvector('simple', search_fold(coalesce(description, ''))), 'D');

create function premium_until(b businesses) returns timestamptz
language sql immutable parallel safe
return case when b.subscription_tier <> 'FREE' then 'infinity' else b.featured_until end;

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
