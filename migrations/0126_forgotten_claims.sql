-- How many claims of each deal are forgotten: the merchant's figure counts them all, so it never shrinks.
create table forgotten_claims (
  deal_id uuid primary key references deals on delete cascade,
  claims int not null check (claims > 0)
);

create function count_forgotten_claims() returns trigger
language plpgsql
as $$
begin
  -- in the order of their ids, so that two that forget at once do not wait for each other; not those of a deal that goes
  insert into forgotten_claims (deal_id, claims)
    select deal_id, count(*) from gone join deals using (deal_id) group by deal_id order by deal_id
  on conflict (deal_id) do update set claims = forgotten_claims.claims + excluded.claims;
  return null;
end
$$;
create trigger claims_forgotten after delete on claims
referencing old table as gone
for each statement execute function count_forgotten_claims();
