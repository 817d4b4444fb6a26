-- What an installation keeps about itself.

-- One secret of this installation, when neither SECRET_KEY nor a key file holds it; and the fingerprint of the key in use,
-- so that an instance with another key is refused instead of making unreadable what the others wrote.
create table installation_keys (
  name text primary key check (name in ('key', 'fingerprint')),
  value bytea not null
);

-- What each file of this folder was like when it was carried out: one that is changed later would leave this database with
-- a schema that no release expects.
create table migration_files (
  name text primary key,
  sha256 text not null
);

-- Which rooms' parts of the demo are in this database: each is filled once, also into a demo made before the room.
create table demo_parts (
  room text primary key,
  filled_at timestamptz not null
);

-- Counters of rate-limiter-flexible: unlogged, because a crash may forget them and writing them must cost little.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  -- milliseconds since 1970
  expire bigint
);
-- serves the library's clean-up of expired counters
create index rate_limits_expired on rate_limits (expire);

-- Each instance that reads from replicas leaves a mark here every second, by the clock of the primary; a replica on which it is
-- older than the newest one known is behind. One row, changed in place.
create table replication_marks (
  mark_id smallint primary key check (mark_id = 1),
  left_at timestamptz not null
) with (fillfactor = 50);
