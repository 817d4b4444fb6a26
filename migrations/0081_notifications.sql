-- What a person was told, and how. A notification is a type and values; its text is written in the reader's language.
create table notifications (
  notification_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  type text not null check (length(type) between 1 and 40),
  -- unread ones of the same type and group are one, which counts
  group_key text not null check (length(group_key) between 1 and 120),
  values jsonb not null,
  path text not null check (path like '/%' and length(path) <= 300),
  count int not null default 1 check (count > 0),
  -- false: by mail alone, so it stands in no list
  in_app boolean not null,
  created_at timestamptz not null,
  read_at timestamptz,
  -- null: no mail is wanted, or it is on its way
  mail_due_at timestamptz,
  -- the mail that tells it
  mail_batch uuid
);
-- what is told again while it is unread joins what is there
create unique index notifications_group on notifications (account_id, type, group_key)
  where read_at is null and mail_batch is null;
-- serves the list, newest first
create index notifications_of_account on notifications (account_id, created_at desc, notification_id desc) where in_app;
-- serves the bell
create index notifications_unread on notifications (account_id) where in_app and read_at is null;
-- serves mails that are due, and composing one
create index notifications_to_mail on notifications (mail_due_at) where mail_due_at is not null;
create index notifications_in_mail on notifications (mail_batch) where mail_batch is not null;
-- serves forgetting
create index notifications_old on notifications (created_at);

-- What has been told to whom, so that a job that runs twice tells it once.
create table notifications_told (
  account_id uuid not null references accounts on delete cascade,
  once_key text not null check (length(once_key) between 1 and 200),
  told_at timestamptz not null,
  primary key (account_id, once_key)
);
create index notifications_told_old on notifications_told (told_at);

-- Choices that differ from the defaults of a type.
create table notification_choices (
  account_id uuid not null references accounts on delete cascade,
  type text not null check (length(type) between 1 and 40),
  -- none: off
  channels text[] not null check (channels <@ array['in_app', 'push', 'email']),
  primary key (account_id, type)
);

-- Local times between which nothing makes a sound and no mail leaves; may cross midnight.
create table notification_quiet_hours (
  account_id uuid primary key references accounts on delete cascade,
  quiet_from time not null,
  quiet_to time not null check (quiet_to <> quiet_from)
);
