-- What an action of staff or an import changed of each event: what an undo gives back, and what schedules hear of.
create table event_changes (
  -- checked at the end of the transaction: the entry is written once it is known what the action did
  entry_id uuid not null references audit_entries on delete cascade deferrable initially deferred,
  event_id uuid not null,
  -- null: the event was made by it, or deleted by it
  before jsonb,
  after jsonb,
  primary key (entry_id, event_id)
);
-- serves finding what was changed after an entry
create index event_changes_of_event on event_changes (event_id, entry_id);
