-- Deals of which nothing is left to claim. Who saved one is told when there is something again, and the deal leaves this table in the same
-- transaction: so each time is told once, whatever made room (a code given back or expired, an undo, a higher limit).
create table full_deals (
  deal_id uuid primary key references deals on delete cascade,
  -- tells apart the times at which nothing was left
  full_id uuid not null
);
insert into full_deals (deal_id, full_id)
select d.deal_id, gen_random_uuid() from deals d
where d.state in ('published', 'paused') and d.total_limit is not null
  and d.redeemed_count + (
    select count(*) from claims c
    where c.deal_id = d.deal_id and c.redeemed_at is null and c.returned_at is null and c.expires_at > now()
  ) >= d.total_limit;
