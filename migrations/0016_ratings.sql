-- What visitors think of deals; how many and how good is kept with each deal, for lists and their order.
create table ratings (
  rating_id uuid primary key,
  deal_id uuid not null references deals on delete cascade,
  business_id uuid not null references businesses on delete cascade,
  -- null: the account is deleted, or the demo invented the visitor
  account_id uuid references accounts on delete set null,
  -- as the visitor is called; null: the account is deleted
  author_name text check (char_length(author_name) <= 80),
  stars int not null check (stars between 1 and 5),
  comment text check (char_length(comment) between 1 and 500),
  -- the visitor has redeemed the deal
  verified boolean not null default false,
  reply text check (char_length(reply) between 1 and 500),
  replied_at timestamptz,
  -- when staff hid it
  hidden_at timestamptz,
  -- When the author took back a rating that staff had hidden. The row stays, without its words, so that what staff decided
  -- holds for whatever the author writes of the deal next.
  withdrawn_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((reply is null) = (replied_at is null)),
  -- serves what a visitor has said of a deal, which is one thing
  unique (deal_id, account_id)
);
-- serves the ratings of a deal, newest first
create index ratings_of_deal on ratings (deal_id, updated_at desc, rating_id desc);
-- serves the newest ratings of a business, and how they are spread
create index ratings_of_business on ratings (business_id, updated_at desc, rating_id desc) include (stars);
-- serves the export and the deletion of an account
create index ratings_of_account on ratings (account_id) where account_id is not null;

-- Who has reported a rating; each account once.
create table rating_reports (
  rating_id uuid not null references ratings on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (rating_id, account_id)
);
create index rating_reports_of_account on rating_reports (account_id);
