-- What rooms tell to open streams (server-sent events) on all instances. A row is announced by NOTIFY in its transaction,
-- and stays for an hour, so that a stream goes on where it broke off.
create table live_events (
  event_id bigint generated always as identity primary key,
  -- `topic:<id>`, `programme`, `account:<id>` …
  channel text not null check (length(channel) between 1 and 80),
  kind text not null check (length(kind) between 1 and 40),
  data jsonb not null check (octet_length(data::text) <= 4000),
  -- who has seen what goes by transactions and not by event_id: rows become visible in another order than they are numbered
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null
);
-- serves what an instance has not seen yet
create index live_events_unseen on live_events (xid);
-- serves what a stream that comes back has missed
create index live_events_missed on live_events (channel, xid);
-- serves forgetting
create index live_events_over on live_events (created_at);
