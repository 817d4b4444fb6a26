-- "Ending soon" is in the order of the last moment at which a deal can be used, as the badge tells it.
drop index deals_ending;
create index deals_ending on deals (over_at, deal_id) include (starts_at)
  where state = 'published' and not sold_out;
