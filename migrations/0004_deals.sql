create table deals (
  deal_id uuid primary key,
  business_id uuid not null references businesses on delete cascade,
  deal_name text not null check (char_length(deal_name) between 1 and 80),
  description text check (char_length(description) <= 2000),
  price text check (char_length(price) <= 60),
  discount text check (char_length(discount) <= 60),
  category text not null default 'other'
    check (category in ('food', 'drinks', 'nightlife', 'shopping', 'culture', 'wellness', 'other')),
  tags text[] not null default '{}',
  -- the tags in folded form, to be asked for like a category
  facets text[] not null default '{}',
  terms text check (char_length(terms) <= 1000),
  image_url text,
  -- what the merchant decided; scheduled, sold out and expired follow from times and limits
  state text not null default 'published' check (state in ('draft', 'published', 'paused', 'archived')),
  starts_at timestamptz,
  ends_at timestamptz,
  -- bit 0 = Monday … bit 6 = Sunday; null: every day
  active_days smallint check (active_days between 1 and 127),
  start_time time,
  end_time time,
  price_rappen int check (price_rappen >= 0),
  regular_price_rappen int check (regular_price_rappen >= 0),
  regular_price_since date,
  total_limit int check (total_limit > 0),
  redeemed_count int not null default 0 check (redeemed_count >= 0),
  per_user_limit int not null default 1 check (per_user_limit > 0),
  redemption_mode text not null default 'none' check (redemption_mode in ('none', 'code')),
  rating_count int not null default 0,
  rating_sum int not null default 0,
  -- (5 × 3.8 + sum) / (5 + n), by which "rating" sorts
  rating_bayes double precision not null
    generated always as ((5 * 3.8 + rating_sum) / (5 + rating_count)) stored,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  -- Mercator in degrees. The projection keeps angles, so near any place straight-line order on it is order by
  -- distance, and the GiST index can walk outwards from a visitor: no extension with its own geometry is needed.
  xy point generated always as (
    point(longitude, degrees(ln(tan(pi() / 4 + radians(greatest(-85.0, least(85.0, latitude))) / 2))))
  ) stored,
  -- weights: A name, B tags and merchant, D description; kept by triggers
  doc tsvector not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((latitude is null) = (longitude is null)),
  check (ends_at > starts_at),
  check (start_time is null or end_time is not null)
);
-- serves the list, newest first
create index deals_newest on deals (created_at desc, deal_id desc) where state = 'published';
-- serves the list of one category, newest first
create index deals_newest_of_category on deals (category, created_at desc, deal_id desc) where state = 'published';
-- serves nearest first, of one category and of all. There is no second index on xy alone: the planner takes a circle to
-- hold a thousandth of all deals wherever it lies, so it would prefer that one and read seven times too many rows.
create index deals_near on deals using gist (category, xy) where state = 'published';
-- serves search by words
create index deals_by_words on deals using gin (doc) where state = 'published';
-- serves a tag asked for like a category
create index deals_by_facet on deals using gin (facets) where state = 'published';
-- serves "ending soon"
create index deals_ending on deals (ends_at, deal_id) where state = 'published';
-- serves "best rated" of the whole list
create index deals_rated on deals (rating_bayes desc, deal_id desc) where state = 'published';
-- serves the deals of one business
create index deals_of_business on deals (business_id, created_at desc, deal_id desc);
-- serves what comes after all deals with a place
create index deals_without_place on deals (created_at desc, deal_id desc) where state = 'published' and latitude is null;

create function deal_doc(deal_name text, tags text[], business_name text, description text) returns tsvector
language sql immutable parallel safe
return setweight(to_tsvector('simple', search_fold(deal_name)), 'A')
  || setweight(to_tsvector('simple', search_fold(array_to_string(tags, ' ') || ' ' || business_name)), 'B')
  || setweight(to_tsvector('simple', search_fold(coalesce(description, ''))), 'D');

create function fill_deal_doc() returns trigger
language plpgsql
as $$
declare
  merchant text;
begin
  select business_name into merchant from businesses where business_id = new.business_id;
  new.facets := array(select distinct trim(search_fold(tag)) from unnest(new.tags) tag);
  new.doc := deal_doc(new.deal_name, new.tags, coalesce(merchant, ''), new.description);
  call learn_search_words(
    search_fold(new.deal_name || ' ' || array_to_string(new.tags, ' ') || ' ' || coalesce(merchant, '') || ' ' || coalesce(new.description, '')));
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
  update deals set doc = deal_doc(deal_name, tags, new.business_name, description) where business_id = new.business_id;
  return null;
end
$$;
create trigger businesses_refill_deal_docs after update of business_name on businesses
for each row when (old.business_name is distinct from new.business_name) execute function refill_deal_docs();
