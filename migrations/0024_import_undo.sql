-- What an import of merchants or places changed, row by row, so that it can be undone. An undo has rows of its own, for the redo.
create table import_changes (
  -- written before its entry, in the same transaction
  entry_id uuid not null references audit_entries on delete cascade deferrable initially deferred,
  -- a business or a place; it may be gone
  object_id uuid not null,
  -- null: the import made the row
  before jsonb,
  -- null: the undo removed the row
  after jsonb,
  primary key (entry_id, object_id),
  check (before is not null or after is not null)
);
-- serves which later import changed a row
create index import_changes_of_object on import_changes (object_id);
