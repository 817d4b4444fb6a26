-- A deleted event is hidden and not gone: what people saved of it must come back when staff take the deletion back
-- (decision 58). It has the state of a draft, so that everything that hides drafts hides it as well; `event_changes` keeps
-- the state that it had.
alter table events add column deleted_at timestamptz;
-- serves what is removed for good
create index events_deleted on events (deleted_at) where deleted_at is not null;

-- Whoever publishes an event has brought it back, also a release that does not know the mark.
create function undelete_event() returns trigger
language plpgsql
as $$
begin
  new.deleted_at := null;
  return new;
end
$$;
create trigger events_undelete before update of state on events
for each row when (new.state <> 'draft' and new.deleted_at is not null) execute function undelete_event();
