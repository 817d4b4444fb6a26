-- Each instance that reads from replicas leaves a mark here every second, by the clock of the primary; a replica on which it is
-- older than the newest one known is behind. One row, changed in place.
create table replication_marks (
  mark_id smallint primary key check (mark_id = 1),
  left_at timestamptz not null
) with (fillfactor = 50);
