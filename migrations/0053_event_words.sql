-- The names of added performers are appended to what is searched: folding a long description anew for each of them made an
-- import of a thousand events twice as slow.
create function add_performers_to_event_docs() returns trigger
language plpgsql
as $$
begin
  update events e set doc = e.doc || setweight(to_tsvector('simple', search_fold(added.names)), 'B')
  from (
    select c.event_id, string_agg(p.performer_name, ' ') as names from changed c join performers p using (performer_id)
    group by c.event_id
  ) added
  where e.event_id = added.event_id;
  return null;
end
$$;
drop trigger event_performers_refill_docs on event_performers;
create trigger event_performers_add_to_docs after insert on event_performers
referencing new table as changed for each statement execute function add_performers_to_event_docs();
