-- As before, and whatever apostrophe was typed: McDonald’s is McDonald's.
create or replace function search_fold(input text) returns text
language sql immutable strict parallel safe
return regexp_replace(
  regexp_replace(
    regexp_replace(
      translate(replace(replace(
        regexp_replace(
          replace(replace(replace(replace(
            lower(translate(regexp_replace(normalize(input, nfkd), '[\u0300-\u036f]', '', 'g'), 'ÆæŒœØøẞ', 'aaooooß')),
            'ß', 'ss'), 'ae', 'a'), 'oe', 'o'), 'ue', 'u'),
          'c(?!h)', 'k', 'g'),
        'ph', 'f'), 'y', 'i'), '''’‘ʼ`', ''),
      '([a-z])\1{3,}', '\14', 'g'),
    '([a-z])\1+', '\1', 'g'),
  '[^[:alnum:]]+', ' ', 'g');

-- what was folded by the one before
update deals set deal_name = deal_name
where concat(deal_name, array_to_string(tags, ' '), business_name, description) ~ '[’‘ʼ`]';

-- the search for names has words of its own (below)
alter table businesses drop column name_folded;

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

alter table businesses add column name_doc tsvector not null
  generated always as (business_doc(business_name, address)) stored;
-- serves the search for merchants by name
create index businesses_named on businesses using gin (name_doc);

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

do $$
begin
  perform learn_business_words(array(
    select unnest(name_words(business_name) || coalesce(town_words(address), '{}')) from businesses));
end
$$;

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
