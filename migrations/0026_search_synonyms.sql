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
