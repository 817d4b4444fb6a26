-- When somebody took an event out of their schedule, so that an addition that was tapped before that on another device, and is
-- sent late, does not bring it back. Forgotten after 30 days. Without a foreign key to the event, whose deletion waits for nothing here.
create table schedule_removals (
  account_id uuid not null references accounts on delete cascade,
  event_id uuid not null,
  removed_at timestamptz not null,
  primary key (account_id, event_id)
);
-- serves forgetting
create index schedule_removals_old on schedule_removals (removed_at);
