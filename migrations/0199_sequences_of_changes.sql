-- Jobs tell changes in any order, so each change keeps its own number: with that of the event at the time of the job, two quick changes
-- had the same one, and people could hear of the second alone.
alter table event_changes
  -- of the event after the change, as in iCalendar; null: written by the release before
  add column sequence int;
alter table schedule_event_changes
  -- of the change that `before` precedes; null: written by the release before
  add column first_sequence int;
