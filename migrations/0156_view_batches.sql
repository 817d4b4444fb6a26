-- Views are written in batches. Where no answer came, a batch may have been counted all the same, as while commits wait for a
-- standby: it is tried again under the same id, and counts once. Forgotten after two days.
create table view_batches (
  batch_id uuid primary key,
  written_at timestamptz not null
);
