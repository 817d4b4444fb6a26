-- Pictures that staff uploaded for events. One that no event ever had is deleted after a day. The others stay: the log can
-- bring every one of them back.
create table event_pictures (
  -- of the file
  name text primary key check (char_length(name) <= 60),
  made_at timestamptz not null,
  -- an event has or had it
  is_used boolean not null default false
);
-- serves what is deleted by night
create index event_pictures_unused on event_pictures (made_at, name) where not is_used;
-- serves the limit of a day
create index event_pictures_made on event_pictures (made_at);
