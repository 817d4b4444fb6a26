-- Of a notice that counts several: what it told before its last one, the oldest first, as [{ path, values, about }], so that one
-- that is withdrawn is counted no more. Empty for one alone; of those counted before this migration nothing is known.
alter table notifications add column earlier jsonb not null default '[]'
  check (jsonb_typeof(earlier) = 'array');
-- Serves the deletion of an account whose name stands there, and withdrawing.
create index notifications_earlier on notifications using gin (earlier jsonb_path_ops) where earlier <> '[]';

-- Open streams of a session end with it, on all instances, whatever ends it.
create function tell_ended_sessions() returns trigger language plpgsql as $$
begin
  insert into live_events (channel, kind, data, created_at)
  select 'session:' || session_id, 'ended', '{}', now() from ended;
  if found then
    perform pg_notify('live_events', '');
  end if;
  return null;
end $$;
create trigger sessions_told after delete on sessions
  referencing old table as ended for each statement execute function tell_ended_sessions();
