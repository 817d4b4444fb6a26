-- Page views without visitors' addresses: a visitor is a keyed hash with a salt that changes daily.
create table view_salts (
  day date primary key,
  salt bytea not null
);

create table view_visits (
  kind text not null check (kind in ('business', 'deal')),
  subject_id uuid not null,
  visitor bytea not null,
  -- the 30 minutes within which at most ten views count begin with the first of them
  window_began_at timestamptz not null,
  counted int not null,
  -- how many of them the statement that gathered them added to the hour
  granted int not null default 0,
  primary key (kind, subject_id, visitor)
);
-- serves the job that forgets hashes after two days
create index view_visits_old on view_visits (window_began_at);

create table view_hours (
  kind text not null check (kind in ('business', 'deal')),
  subject_id uuid not null,
  hour timestamptz not null,
  views int not null default 0,
  -- visitors seen for the first time that day
  visitors int not null default 0,
  -- serves counters and charts of one subject
  primary key (kind, subject_id, hour)
);

