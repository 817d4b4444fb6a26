-- A name may grow much longer without its accents and ligatures (U+FDFA becomes 18 letters), and this one travels in
-- addresses, as the place where the next page of an alphabet begins. What comes after is told apart by the id.
alter table businesses drop column name_sorted;
alter table businesses add column name_sorted text not null
  generated always as
    (left(lower(regexp_replace(normalize(business_name, nfkd), '[\u0300-\u036f]', '', 'g')), 80)) stored;
-- serves merchants A–Z by keyset
create index businesses_by_name on businesses (name_sorted collate "C", business_id);
