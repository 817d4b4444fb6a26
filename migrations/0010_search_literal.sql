-- What a person typed, taken at its word: every term must be found as a word or as the beginning of one. Eight terms and 40
-- letters of each count, as in search_query. Null when nothing searchable was typed.
create function search_literal(typed text) returns tsquery
language sql stable strict parallel safe
as $$
  select string_agg(quote_literal(left(term, 40)) || ':*', ' & ' order by place)::tsquery
  from (
    select term, place from regexp_split_to_table(trim(search_fold(left(typed, 200))), ' ') with ordinality t (term, place)
    where term <> '' order by place limit 8
  ) terms
$$;

-- As before, but every term must be found: written as a text, the alternatives of all but the last stood there without
-- their brackets, and any of them was enough.
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
