create table businesses (
  business_id uuid primary key,
  business_name text not null check (char_length(business_name) between 1 and 80),
  -- the name without accents, by which people look it up in an alphabet
  name_sorted text not null
    generated always as (lower(regexp_replace(normalize(business_name, nfkd), '[\u0300-\u036f]', '', 'g'))) stored,
  -- spelling-blind, for searching it
  name_folded text not null generated always as (search_fold(business_name)) stored,
  slug text not null unique,
  -- contact address; the login address belongs to the account
  email text,
  address text check (char_length(address) <= 200),
  logo_url text check (char_length(logo_url) <= 2000),
  description text check (char_length(description) <= 2000),
  category text not null default 'other',
  phone text,
  website text,
  open_hours text check (char_length(open_hours) <= 500),
  -- false: empty or free wording that no rule can read; such a place is never shown as closed
  hours_known boolean not null default false,
  -- the same as a table of days and times for people; null: no table can say it
  opening_week jsonb,
  -- open_hours as instants, some days ahead: opens, closes, opens, closes … in order. So "open now" is an odd number of
  -- them behind us: one binary search, right past midnight, on daylight-saving days and on public holidays.
  opening_changes timestamptz[] not null default '{}',
  -- until when opening_changes and opening_week are filled
  hours_filled_until timestamptz,
  -- decides the public holidays
  canton text not null default 'BS' check (canton ~ '^[A-Z]{2}$'),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  -- Mercator in degrees, as of deals (see there)
  xy point generated always as (
    point(longitude, degrees(ln(tan(pi() / 4 + radians(greatest(-85.0, least(85.0, latitude))) / 2))))
  ) stored,
  -- drawn by lot, as of deals
  lot int not null generated always as (('x' || right(business_id::text, 6))::bit(24)::int) stored,
  subscription_tier text not null default 'FREE' check (subscription_tier in ('FREE', 'PREMIUM', 'ULTIMATE')),
  -- wished for at signup; the tier itself comes with a confirmed payment
  requested_tier text check (requested_tier in ('FREE', 'PREMIUM')),
  -- end of the paid promotion, if there was one
  featured_until timestamptz,
  -- true: someone signed up for it; false: taken from open data
  claimed boolean not null default true,
  -- where an imported row comes from, e.g. osm:node/123; a second import finds it again by this
  source_id text unique,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((latitude is null) = (longitude is null))
);
-- serves merchants A–Z by keyset
create index businesses_by_name on businesses (name_sorted collate "C", business_id);
-- serves the search for a merchant's name in A–Z
create index businesses_name_alike on businesses using gin (name_folded gin_trgm_ops);
-- serves merchants near a place, nearest first
create index businesses_near on businesses using gist (xy);
-- serve maps of very many merchants, of which they count a part
create index businesses_near_8th on businesses using gist (xy) where lot & 7 = 0;
create index businesses_near_64th on businesses using gist (xy) where lot & 63 = 0;
create index businesses_near_512th on businesses using gist (xy) where lot & 511 = 0;
-- serves "who is promoted now"
create index businesses_featured on businesses (featured_until) where featured_until is not null;
-- serves the nightly job that fills the openings
create index businesses_to_fill on businesses (hours_filled_until nulls first) where hours_known;

-- an odd number of changes lies behind
create function is_open(at timestamptz, changes timestamptz[]) returns boolean
language sql immutable parallel safe
return width_bucket(at, changes) & 1 = 1;

create function next_change(at timestamptz, changes timestamptz[]) returns timestamptz
language sql immutable parallel safe
return changes[width_bucket(at, changes) + 1];
