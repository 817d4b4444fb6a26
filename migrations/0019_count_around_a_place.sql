-- serves nearest first, of one category and of all, as before; now it also holds what decides whether a deal is live and
-- inside the circle, so that counting what a place has around it reads the index alone
drop index deals_near;
create index deals_near on deals using gist (category, xy) include (starts_at, ends_at, latitude, longitude)
  where state = 'published' and not sold_out;
