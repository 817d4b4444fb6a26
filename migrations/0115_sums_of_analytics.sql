-- What analytics_hours and view_hours say of past days, added up: of each deal by day (of UTC), and of each business by hour, so
-- that a year of figures needs few rows. Newer hours are read as they are.
create table analytics_days (
  deal_id uuid not null references deals on delete cascade,
  day date not null,
  impressions int not null,
  opens int not null,
  visitors int not null,
  saves int not null,
  claims int not null,
  redemptions int not null,
  sales_rappen bigint not null,
  -- serves the figures of some deals over a time
  primary key (deal_id, day)
);

create table analytics_business_hours (
  business_id uuid not null references businesses on delete cascade,
  -- its beginning
  hour timestamptz not null,
  impressions int not null,
  opens int not null,
  visitors int not null,
  saves int not null,
  claims int not null,
  redemptions int not null,
  sales_rappen bigint not null,
  -- serves the figures of a business over a time
  primary key (business_id, hour)
);

-- Before when there are sums.
create table analytics_summed (
  only_row boolean primary key default true check (only_row),
  until date not null
);
insert into analytics_summed (until) values ('2000-01-01');

-- Days of which something was changed late (a save was taken back): their sums are made anew, and until then nobody reads them.
create table analytics_late (
  deal_id uuid not null references deals on delete cascade,
  day date not null,
  primary key (deal_id, day)
);

-- The first day with anything to add up; reads all hours, so it is asked once.
create function analytics_first_day() returns date language sql stable as $$
  select (least((select min(hour) from analytics_hours), (select min(hour) from view_hours where kind = 'deal'))
    at time zone 'UTC')::date
$$;

-- Makes the sums of some days, of some deals with all others of their businesses, or of all deals (null).
create function analytics_sum(first date, until date, of_deals uuid[]) returns void language sql as $$
  with summed as (
    select d.deal_id, d.business_id from deals d
    where of_deals is null
      or d.business_id in (select o.business_id from deals o where o.deal_id = any(of_deals))
  ), counted as (
    select business_id, deal_id, hour, impressions, 0 as opens, 0 as visitors, saves, claims, redemptions, sales_rappen
    from summed join analytics_hours using (deal_id)
    where hour >= first::timestamp at time zone 'UTC' and hour < until::timestamp at time zone 'UTC'
    union all
    select s.business_id, s.deal_id, v.hour, 0, v.views, v.visitors, 0, 0, 0, 0
    from summed s join view_hours v on v.kind = 'deal' and v.subject_id = s.deal_id
    where v.hour >= first::timestamp at time zone 'UTC' and v.hour < until::timestamp at time zone 'UTC'
  ), days as (
    insert into analytics_days
    select deal_id, (hour at time zone 'UTC')::date, sum(impressions), sum(opens), sum(visitors), sum(saves), sum(claims),
      sum(redemptions), sum(sales_rappen)
    from counted group by 1, 2
    on conflict (deal_id, day) do update set impressions = excluded.impressions, opens = excluded.opens,
      visitors = excluded.visitors, saves = excluded.saves, claims = excluded.claims, redemptions = excluded.redemptions,
      sales_rappen = excluded.sales_rappen
  )
  insert into analytics_business_hours
  select business_id, hour, sum(impressions), sum(opens), sum(visitors), sum(saves), sum(claims), sum(redemptions),
    sum(sales_rappen)
  from counted group by 1, 2
  on conflict (business_id, hour) do update set impressions = excluded.impressions, opens = excluded.opens,
    visitors = excluded.visitors, saves = excluded.saves, claims = excluded.claims, redemptions = excluded.redemptions,
    sales_rappen = excluded.sales_rappen
$$;
