-- How often deals were shown, saved, claimed and redeemed, by hour: counts alone, nobody's id. Opens are in view_hours.
create table analytics_hours (
  deal_id uuid not null references deals on delete cascade,
  -- its beginning
  hour timestamptz not null,
  impressions int not null default 0,
  saves int not null default 0,
  claims int not null default 0,
  redemptions int not null default 0,
  sales_rappen bigint not null default 0,
  -- serves the figures of some deals over a time
  primary key (deal_id, hour)
)
-- room for rows that are counted up, so that this touches no index
with (fillfactor = 70);

-- Beacons of browsers that were counted, so that one sent twice counts once; forgotten after an hour. Unlogged: after a
-- crash of the database nothing but this protection is lost.
create unlogged table analytics_beacons (
  beacon_id uuid primary key,
  at timestamptz not null
);
-- serves forgetting them
create index analytics_beacons_by_time on analytics_beacons (at);
