-- An undo gives an event back also what its source said of it, so that the next import knows the event again and brings what
-- was undone. null: it came from no source, or was changed before this was kept.
alter table event_changes
  -- source, source_id and source_said of the event before the change
  add source_before jsonb;
