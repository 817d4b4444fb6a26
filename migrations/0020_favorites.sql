-- What somebody saved. What was saved may go without asking this table: it is then left out, and forgotten by night.
create table favorites (
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('deal', 'business', 'performer')),
  subject_id uuid not null,
  saved_at timestamptz not null,
  primary key (account_id, kind, subject_id)
);
-- serves /favorites, newest first
create index favorites_of_account on favorites (account_id, saved_at desc, subject_id desc);
-- serves who saved a merchant, and how often something was saved
create index favorites_of_subject on favorites (kind, subject_id, account_id);

-- When somebody removed a favorite, so that an addition that was tapped before that on another device, and is sent late, does not
-- bring it back: as for schedules. Forgotten after 30 days.
create table favorite_removals (
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('deal', 'business', 'performer')),
  subject_id uuid not null,
  removed_at timestamptz not null,
  primary key (account_id, kind, subject_id)
);
-- serves forgetting
create index favorite_removals_old on favorite_removals (removed_at);
