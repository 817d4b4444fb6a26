-- When somebody removed a favorite, so that an addition that was tapped before that on another device, and is sent late, does not
-- bring it back: as 0211 does for schedules. Forgotten after 30 days.
create table favorite_removals (
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('deal', 'business', 'performer')),
  subject_id uuid not null,
  removed_at timestamptz not null,
  primary key (account_id, kind, subject_id)
);
-- serves forgetting
create index favorite_removals_old on favorite_removals (removed_at);

-- Whether it is paused because the merchant's plan had no room for it, so that all of these can come back together.
alter table deals add column paused_by_plan boolean not null default false;
