-- A programme that is read from an address again and again.
alter table programme_sources
  -- https; null: the source has no address, only files
  add column address text check (char_length(address) between 1 and 2000),
  add column every_minutes smallint check (every_minutes between 5 and 60),
  -- An instance moves it forward before it reads, so that no other one reads the same source meanwhile.
  add column next_read_at timestamptz,
  -- last time it was read, or tried
  add column read_at timestamptz,
  -- last time the programme was what the address gave
  add column good_at timestamptz,
  -- SHA-256 of the content that was applied last, in hex; null: none yet, so the next content waits for a yes
  add column content_hash text check (char_length(content_hash) = 64),
  -- of the content that was read last: how many events were read, new, changed and removed
  add column counts jsonb,
  -- why the last read failed: a text under importReport of the messages; null: it did not
  add column problem jsonb,
  -- reads that failed one after the other: each doubles the interval
  add column failures smallint not null default 0,
  -- hash and numbers of a content that is applied only after a yes; null: none
  add column waiting jsonb,
  add check ((address is null) = (every_minutes is null)),
  add check ((address is null) = (next_read_at is null));
-- serves the sources that are due
create index programme_sources_due on programme_sources (next_read_at);
