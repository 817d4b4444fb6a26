-- The description as elements, as posts have theirs: Markdown is read once, when an event is written, and pages only draw it.
-- null beside a description: written before this; it is read from the Markdown then.
alter table events add column content jsonb;

-- The release before writes the description alone: elements of the text before must not stay beside it.
create function forget_stale_content() returns trigger language plpgsql as $$
begin
  if new.description is distinct from old.description and new.content is not distinct from old.content then
    new.content := null;
  end if;
  return new;
end $$;
create trigger forget_stale_content before update of description on events
for each row execute function forget_stale_content();
