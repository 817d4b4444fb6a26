-- When it was last told that there is something again. A deal that one person takes and gives back in turn is told of once in half an hour: the
-- row stays until then, and the minute's job tells what is still true.
alter table full_deals add column told_at timestamptz, add column is_full boolean not null default true;
