-- Devices on which a merchant's staff redeem. Registered ones may send scans later that they made without network.
create table tills (
  till_id uuid primary key,
  business_id uuid not null references businesses on delete cascade,
  name text not null check (char_length(name) between 1 and 40),
  -- argon2id in PHC form; null: the device of somebody who logs in as the business
  pin_hash text,
  -- what a redeem-only device shows beside the PIN, so that a PIN alone opens nothing; null as above
  secret_hash bytea,
  created_at timestamptz not null,
  last_used_at timestamptz,
  check ((pin_hash is null) = (secret_hash is null))
);
-- serves the merchant's list of devices
create index tills_of_business on tills (business_id, created_at);

-- A visitor holds one item of a deal, until it is redeemed, returned or expires.
create table claims (
  claim_id uuid primary key,
  deal_id uuid not null references deals on delete cascade,
  business_id uuid not null references businesses on delete cascade,
  -- null: the account is deleted
  account_id uuid references accounts on delete set null,
  -- its place among all codes of the business; no two claims have the same one while a code of theirs can be accepted.
  -- null: none can be any more
  slot int check (slot between 0 and 999999),
  -- tells which key of the installation its codes are made with
  key_print bytea,
  -- as it was when it was claimed: what the visitor was promised
  deal_name text not null,
  business_name text not null,
  price text,
  discount text,
  price_rappen int,
  claimed_at timestamptz not null,
  usable_from timestamptz not null,
  expires_at timestamptz not null check (expires_at > usable_from),
  redeemed_at timestamptz,
  -- when the visitor gave it back
  returned_at timestamptz,
  check ((slot is null) = (key_print is null)),
  -- serves a typed code
  unique (business_id, slot)
);
-- serves "my codes", and its export
create index claims_of_account on claims (account_id, claimed_at desc, claim_id desc);
-- serves how many items of a deal are held
create index claims_held on claims (deal_id, expires_at) where redeemed_at is null and returned_at is null;
-- serves what one visitor has of a deal
create index claims_of_visitor on claims (deal_id, account_id);
-- serves the nightly job that frees slots and forgets what was never used
create index claims_expired on claims (expires_at) where redeemed_at is null;
create index claims_with_slot on claims (expires_at) where slot is not null;

create table redemptions (
  redemption_id uuid primary key,
  business_id uuid not null references businesses on delete cascade,
  -- null: a scan kept without network, of which nobody knows what it was
  deal_id uuid references deals on delete cascade,
  claim_id uuid references claims on delete set null,
  till_id uuid references tills on delete set null,
  deal_name text,
  -- conflict: a scan kept without network that could not count when it was sent
  state text not null check (state in ('redeemed', 'undone', 'conflict')),
  reason text,
  amount_rappen int not null check (amount_rappen between 0 and 10000000),
  -- when the code was scanned or typed
  redeemed_at timestamptz not null,
  -- when the server learned of it; the time to undo begins here
  recorded_at timestamptz not null,
  undone_at timestamptz,
  -- drawn by the till for each redemption, so that one sent again counts once
  sent_as text check (char_length(sent_as) <= 100),
  check ((state = 'conflict') = (reason is not null)),
  check ((state = 'undone') = (undone_at is not null)),
  unique (business_id, sent_as)
);
-- a claim is redeemed once
create unique index redemptions_of_claim on redemptions (claim_id) where state = 'redeemed';
-- serves the merchant's list, newest first
create index redemptions_of_business on redemptions (business_id, recorded_at desc, redemption_id desc);
-- serves "Sales in CHF"
create index redemptions_sales on redemptions (business_id) include (amount_rappen) where state = 'redeemed';
create index redemptions_of_till on redemptions (till_id) where till_id is not null;
create index redemptions_of_deal on redemptions (deal_id);

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

-- Deals of which nothing is left to claim. Who saved one is told when there is something again, and the deal leaves this table in the same
-- transaction: so each time is told once, whatever made room (a code given back or expired, an undo, a higher limit).
create table full_deals (
  deal_id uuid primary key references deals on delete cascade,
  -- tells apart the times at which nothing was left
  full_id uuid not null,
  -- When people were last told that there is something left again. One person may take a deal and give it back many times: it is
  -- told at most once in half an hour. The row stays until then, and the job of each minute tells what is still true.
  told_at timestamptz,
  is_full boolean not null default true
);
