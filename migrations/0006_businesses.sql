-- "4058 Basel" of "Rheingasse 1, 4058 Basel", "Basel" of "Marktplatz, Basel"; null where an address names no town
create function town_of(address text) returns text
language sql immutable strict parallel safe
return coalesce(substring(address from '\m\d{4,5}\M +[^,\d]+'), substring(address from ', *([^,\d]+)$'));

-- the words of a name, and the name as one word: "Mc Donald's" is found by "mcdonalds"
create function name_words(business_name text) returns text[]
language sql immutable strict parallel safe
return regexp_split_to_array(
  trim(search_fold(business_name)) || ' ' || replace(search_fold(replace(search_fold(business_name), ' ', '')), ' ', ''), ' ');

create function town_words(address text) returns text[]
language sql immutable strict parallel safe
return regexp_split_to_array(trim(search_fold(town_of(address))), ' ');

-- What a merchant is found by. Words of the town carry an @: they may help to find a name, but nobody is found by them alone.
create function business_doc(business_name text, address text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(array(
  select distinct w from unnest(
    name_words(business_name) || array(select '@' || t from unnest(town_words(address)) t where t <> '')) w
  where w <> ''));

create table businesses (
  business_id uuid primary key,
  business_name text not null check (char_length(business_name) between 1 and 80),
  -- The name without accents, by which people look it up in an alphabet. It may grow much longer without them (U+FDFA becomes
  -- 18 letters), and travels in addresses as the place where the next page begins. What comes after is told apart by the id.
  name_sorted text not null
    generated always as
      (left(lower(regexp_replace(normalize(business_name, nfkd), '[\u0300-\u036f]', '', 'g')), 80)) stored,
  slug text not null unique,
  -- contact address; the login address belongs to the account
  email text,
  address text check (char_length(address) <= 200),
  logo_url text check (char_length(logo_url) <= 2000),
  -- own path of our copy of a logo_url that stands elsewhere; null: there is none (yet)
  logo_copy text,
  -- what pages show: never anything of a foreign host
  logo_image text generated always as (case when logo_url like '/uploads/%' then logo_url else logo_copy end) stored,
  -- own paths, in the order in which they are shown
  photos text[] not null default '{}' check (cardinality(photos) <= 6),
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
  subscription_tier text not null default 'FREE' check (subscription_tier in ('FREE', 'PREMIUM', 'ULTIMATE')),
  -- wished for at signup; the tier itself comes with a confirmed payment
  requested_tier text check (requested_tier in ('FREE', 'PREMIUM')),
  -- end of the paid promotion, if there was one
  featured_until timestamptz,
  -- true: someone signed up for it; false: taken from open data
  claimed boolean not null default true,
  -- where an imported row comes from, e.g. osm:node/123; a second import finds it again by this
  source_id text unique,
  -- Staff can suspend a business: it and its deals vanish from every public answer until the suspension is lifted. What is
  -- paid for, its login and codes that visitors hold stay as they are (decision 50).
  suspended_at timestamptz,
  -- what its merchant is told
  suspended_reason text check (char_length(suspended_reason) between 1 and 500),
  -- whether the merchant was told last that it is suspended
  suspension_told boolean not null default false,
  -- Its account waits to be deleted: hidden as a suspended one is. Keeping the account brings it back.
  leaving_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- what a merchant is found by
  name_doc tsvector not null generated always as (business_doc(business_name, address)) stored,
  constraint businesses_suspended_check check ((suspended_at is null) = (suspended_reason is null)),
  check ((latitude is null) = (longitude is null))
);
-- serves merchants A–Z by keyset
create index businesses_by_name on businesses (name_sorted collate "C", business_id) where suspended_at is null;
-- serves the search for merchants by name
create index businesses_named on businesses using gin (name_doc);
-- serves merchants near a place, nearest first
create index businesses_near on businesses using gist (xy) where suspended_at is null;
-- serves "who is promoted now"
create index businesses_featured on businesses (featured_until) where featured_until is not null;
-- serves the nightly job that fills the openings
create index businesses_to_fill on businesses (hours_filled_until nulls first) where hours_known;
-- serves the nightly second try of logos that could not be fetched
create index businesses_logos_to_fetch on businesses (updated_at)
where logo_copy is null and logo_url like 'http%' and claimed;
-- serves the list of suspended businesses
create index businesses_suspended on businesses (suspended_at desc, business_id desc) where suspended_at is not null;

-- an odd number of changes lies behind
create function is_open(at timestamptz, changes timestamptz[]) returns boolean
language sql immutable parallel safe
return width_bucket(at, changes) & 1 = 1;

create function next_change(at timestamptz, changes timestamptz[]) returns timestamptz
language sql immutable parallel safe
return changes[width_bucket(at, changes) + 1];

-- Every folded word of merchants' names and towns, to find what a mistyped one may have meant. Apart from those of deals:
-- a word is mistyped where nobody uses it, and thousands of names without a deal would stand in the way of dishes. Words of
-- deleted rows stay: they match nothing.
create table business_words (
  word text primary key check (length(word) between 3 and 40)
);
-- serves business_query: words that begin like a typed one (the primary key's collation may not)
create index business_words_begin on business_words (word text_pattern_ops);
-- serves business_query: words that hold a typed one, or look like it
create index business_words_alike on business_words using gin (word gin_trgm_ops);

-- in their order, so that two that learn the same words do not wait for each other in a circle
create function learn_business_words(words text[]) returns void
language sql
begin atomic
  insert into business_words (word)
  select distinct w from unnest(words) w where length(w) between 3 and 40 and w !~ '^\d+$' order by w
  on conflict do nothing;
end;

create function learn_words_of_added_businesses() returns trigger
language plpgsql
as $$
begin
  perform learn_business_words(array(
    select unnest(name_words(business_name) || coalesce(town_words(address), '{}')) from added));
  return null;
end
$$;
create trigger businesses_learn_words after insert on businesses
referencing new table as added for each statement execute function learn_words_of_added_businesses();

create function learn_words_of_business() returns trigger
language plpgsql
as $$
begin
  perform learn_business_words(name_words(new.business_name) || coalesce(town_words(new.address), '{}'));
  return null;
end
$$;
create trigger businesses_learn_new_words after update of business_name, address on businesses
for each row when ((old.business_name, old.address) is distinct from (new.business_name, new.address))
execute function learn_words_of_business();

-- What a person typed as a text-search query for names: words in any order, each as the beginning of a word. A word with
-- which none begins may stand within others ("markt" in "Weihnachtsmarkt"); one that stands in none may be mistyped, and
-- then means the six that look most like it, or those at most two letters away. A town may be named beside a name. At most
-- eight terms count, and 40 letters of each. Null when nothing searchable was typed.
create function business_query(typed text) returns tsquery
language plpgsql stable strict
as $$
declare
  folded text := trim(search_fold(left(typed, 200)));
  joined text := replace(search_fold(replace(folded, ' ', '')), ' ', '');
  term text;
  terms int := 0;
  next_word text;
  others text[];
  names text;
  in_names text := '';
  in_all text := '';
begin
  foreach term in array regexp_split_to_array(folded, ' ') loop
    term := left(term, 40);
    continue when term = '';
    exit when terms = 8;
    terms := terms + 1;
    others := '{}';
    select word into next_word from business_words where word ~>=~ term order by word using ~<~ limit 1;
    if length(term) >= 3 and term !~ '^\d+$' and not coalesce(starts_with(next_word, term), false) then
      others := array(
        select word from business_words where word like '%' || term || '%' order by length(word), word limit 60);
      if others = '{}' and length(term) >= 4 then
        others := array(
          select word from business_words
          where word % term and similarity(word, term) >= case when length(term) >= 6 then 0.35 else 0.4 end
          order by similarity(word, term) desc, word limit 6);
      end if;
      if others = '{}' and length(term) >= 5 then
        others := array(
          select word from business_words
          where word like left(term, 1) || '%' and length(word) between length(term) - 2 and length(term) + 2
            and levenshtein_less_equal(word, term, 2) <= 2
          order by levenshtein_less_equal(word, term, 2), word limit 6);
      end if;
    end if;
    select string_agg(quote_literal(w), ' | '), string_agg(quote_literal('@' || w), ' | ')
      into names, next_word from unnest(others) w;
    names := quote_literal(term) || ':*' || coalesce(' | ' || names, '');
    in_names := in_names || ' | ' || names;
    in_all := in_all || ' & (' || names || ' | ' || quote_literal('@' || term) || ':*' || coalesce(' | ' || next_word, '') || ')';
  end loop;
  return case
    when terms = 0 then null
    when terms = 1 then names::tsquery
    else format('(%s) & (%s) | %L:*', substr(in_all, 4), substr(in_names, 4), left(joined, 40))::tsquery
  end;
end
$$;

-- Pictures that merchants uploaded, or that were fetched for them. What nothing shows is deleted by night.
create table merchant_pictures (
  -- of the file in the store of uploads
  name text primary key check (name ~ '^[0-9a-f-]{36}\.webp$'),
  business_id uuid not null references businesses on delete cascade,
  made_at timestamptz not null
);
-- serves the deletion of an account, and the limit of pictures a day
create index merchant_pictures_of_business on merchant_pictures (business_id, made_at);
-- serves the nightly deletion
create index merchant_pictures_by_age on merchant_pictures (made_at, name);
