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
-- Open cases in the order in which they came: the one queue of moderators has them among the posts that wait.
create index report_cases_oldest on report_cases (first_at, case_id) where state = 'open';
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

-- An appeal against a decision of moderators, beside its entry in the log of staff.
create table appeals (
  -- what it objects to: one appeal each
  entry_id uuid primary key references audit_entries on delete cascade,
  -- post_hide, post_reject, member_silence or member_ban
  what text not null check (char_length(what) <= 40),
  -- who objects
  member_id uuid not null references forum_members on delete cascade,
  -- null: about the person
  post_id uuid references forum_posts on delete cascade,
  -- null: who wrote it has deleted the account
  appeal text check (char_length(appeal) <= 1000),
  appealed_at timestamptz not null,
  -- closed: what it is about ended by itself
  decision text check (decision in ('upheld', 'overturned', 'closed')),
  decided_at timestamptz,
  -- the entry of what settled it; open again once that is undone. Null: nobody did
  decided_by uuid,
  check ((decision is null) = (decided_at is null))
);
-- serves the list of open ones, and closing those about what has ended
create index appeals_open on appeals (appealed_at, entry_id) where decision is null;
-- serve what is decided about a post or a person, and what is kept of somebody
create index appeals_of_post on appeals (post_id);
create index appeals_of_member on appeals (member_id);
