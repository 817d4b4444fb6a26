-- Counters of rate-limiter-flexible: unlogged, because a crash may forget them and writing them must cost little.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  -- milliseconds since 1970
  expire bigint
);
-- serves the library's clean-up of expired counters
create index rate_limits_expired on rate_limits (expire);
