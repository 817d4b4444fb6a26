-- Words as people type them: the same for deals, merchants, events and the forum.

-- Extensions that every PostgreSQL brings and any database owner may switch on.
create extension if not exists btree_gist;  -- nearest-neighbour search inside a category

create extension if not exists pg_trgm;     -- words that look alike

create extension if not exists fuzzystrmatch; -- words with swapped letters

-- The spelling-blind form of a text: lower case, no accents, umlauts as their base letter however they are typed
-- (ü, ue), c as k, ph as f, y as i, doubled letters single, no apostrophes. So Zürich, Zuerich and zurich meet in "zurich",
-- and Kaffee, kaffe, caffè and Café in "kafe". A letter four times or more, as in no word, becomes the letter
-- and a 4: as "z" alone, "zzzz" would find all that begins with one. Accents go before the case does, so that only ASCII
-- letters are left to lower: that works under every locale of a database. Immutable, so that columns can be made from it.
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

-- Every folded word that any deal or merchant uses, to find what a mistyped one may have meant. Words are few where
-- rows are many, so the look-up stays fast at a million deals. Words of deleted rows stay: they match nothing.
create table search_words (
  word text primary key check (length(word) between 3 and 40)
);
-- serves search_query: words that begin like a typed one (the primary key's collation may not)
create index search_words_begin on search_words (word text_pattern_ops);
-- serves search_query: words that look like a typed one
create index search_words_alike on search_words using gin (word gin_trgm_ops);

create procedure learn_search_words(folded text)
language sql
begin atomic
  insert into search_words (word)
  select distinct w from regexp_split_to_table(folded, ' ') w where length(w) between 3 and 40 and w !~ '^\d+$'
  on conflict do nothing;
end;

-- What a person typed as a text-search query: every term must be found as a word, the beginning of a word, or one of
-- the six words that look most like it (trigram similarity; short words must be closer). A term of which nothing is
-- known may also have letters swapped or wrong (at most two edits, same first letter). At most eight terms count, and 40
-- letters of each: compatibility forms grow when they are folded.
-- Null when nothing searchable was typed.
create or replace function search_query(typed text) returns tsquery
language plpgsql stable strict
as $$
declare
  term text;
  terms int := 0;
  alternatives text;
  one tsquery;
  found tsquery := null;
begin
  foreach term in array regexp_split_to_array(trim(search_fold(left(typed, 200))), ' ') loop
    term := left(term, 40);
    continue when term = '';
    exit when terms = 8;
    terms := terms + 1;
    select string_agg(quote_literal(word), ' | ') into alternatives
    from (
      select word from search_words
      where length(term) >= 4 and word % term
        and similarity(word, term) >= case when length(term) >= 6 then 0.35 else 0.4 end
      order by similarity(word, term) desc, word limit 6
    ) alike;
    if alternatives is null and length(term) >= 5
      and not exists (select 1 from search_words where word like term || '%') then
      select string_agg(quote_literal(word), ' | ') into alternatives
      from (
        select word from search_words
        where word like left(term, 1) || '%' and length(word) between length(term) - 2 and length(term) + 2
          and levenshtein_less_equal(word, term, 2) <= 2
        order by levenshtein_less_equal(word, term, 2), word limit 6
      ) mistyped;
    end if;
    one := (quote_literal(term) || ':*' || coalesce(' | ' || alternatives, ''))::tsquery;
    found := case when found is null then one else found && one end;
  end loop;
  return found;
end
$$;

-- Terms of a search, each as a list of alternatives of which the first was typed: every term must be found, by any of its
-- alternatives. An alternative of several words asks for all of them. What was typed may also be the beginning of a word:
-- from five letters on, or of any length where `loose`, so that "vin" is not vinyl where there is wine. Eight terms count,
-- and 40 letters of each word. Null when nothing searchable was typed.
create function search_terms(terms jsonb, loose boolean) returns tsquery
language sql stable strict parallel safe
as $$
  select string_agg('(' || alternatives || ')', ' & ' order by place)::tsquery
  from (
    select place, string_agg('(' || words || ')', ' | ' order by n) as alternatives
    from jsonb_array_elements(terms) with ordinality t (term, place),
      lateral (
        select n, string_agg(
          quote_literal(left(word, 40)) || case when n = 1 and (loose or length(word) > 4) then ':*' else '' end,
          ' & ') as words
        from jsonb_array_elements_text(term) with ordinality a (alternative, n),
          regexp_split_to_table(trim(search_fold(left(alternative, 200))), ' ') word
        where word <> ''
        group by n
      ) each
    group by place order by place limit 8
  ) found
$$;
