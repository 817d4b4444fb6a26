-- What staff hid vanishes from every public answer, and its merchant cannot bring it back.
alter table deals
  drop constraint deals_state_check,
  add constraint deals_state_check check (state in ('draft', 'published', 'paused', 'archived', 'hidden')),
  -- what it was before staff hid it
  add column hidden_from text check (hidden_from in ('draft', 'published', 'paused', 'archived')),
  add constraint deals_hidden_check check ((state = 'hidden') = (hidden_from is not null));

-- in words; a hidden deal is to everybody as an archived one
create or replace function deal_status(
  state text, sold_out boolean, starts_at timestamptz, over_at timestamptz, at timestamptz) returns text
language sql immutable parallel safe
return case
  when state = 'hidden' then 'archived'
  when state in ('archived', 'draft') then state
  when over_at <= at then 'expired'
  when state = 'paused' then 'paused'
  when sold_out then 'sold_out'
  when starts_at > at then 'scheduled'
  else 'active'
end;

alter table ratings add column hidden_at timestamptz;

-- One case for each deal or rating that somebody reported.
create table report_cases (
  case_id uuid primary key,
  kind text not null check (kind in ('deal', 'rating')),
  subject_id uuid not null,
  business_id uuid not null references businesses on delete cascade,
  state text not null default 'open' check (state in ('open', 'dismissed', 'hidden')),
  reports int not null default 0,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- what staff said of the last decision, to whom it concerns
  reason text check (char_length(reason) <= 500),
  decided_at timestamptz,
  -- whether the one concerned was told last that it is hidden
  told_hidden boolean not null default false,
  unique (kind, subject_id)
);
-- serves the list of open cases and that of decided ones
create index report_cases_newest on report_cases ((state = 'open'), last_at desc, case_id desc);
create index report_cases_of_business on report_cases (business_id);

-- Who reported it; each account once.
create table reports (
  case_id uuid not null references report_cases on delete cascade,
  account_id uuid not null references accounts on delete cascade,
  why text check (why in ('wrong', 'misleading', 'offensive', 'unsafe', 'other')),
  note text check (char_length(note) between 1 and 500),
  created_at timestamptz not null,
  primary key (case_id, account_id)
);
create index reports_of_account on reports (account_id);

-- ratings that were reported before this list came
insert into report_cases (case_id, kind, subject_id, business_id, reports, first_at, last_at)
select gen_random_uuid(), 'rating', g.rating_id, g.business_id, count(*), min(r.created_at), max(r.created_at)
from rating_reports r join ratings g using (rating_id) group by g.rating_id, g.business_id;
insert into reports (case_id, account_id, created_at)
select c.case_id, r.account_id, r.created_at
from rating_reports r join report_cases c on c.kind = 'rating' and c.subject_id = r.rating_id;
