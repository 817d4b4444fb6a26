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
  mail_batch uuid,
  -- After this moment it is of no use outside the app: no mail and no push of it leaves.
  good_until timestamptz,
  -- Whom it names: the name goes from it when that account is deleted. No foreign key, so that a deletion waits for nothing.
  about_account uuid,
  -- Of a notice that counts several: what it told before its last one, the oldest first, as [{ path, values, about }], so that
  -- one that is withdrawn is counted no more. Empty for one alone.
  earlier jsonb not null default '[]' check (jsonb_typeof(earlier) = 'array')
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
-- Serves the mail of one person, while mails of very many are due, and what is kept of somebody who asks for it or leaves.
create index notifications_by_account on notifications (account_id, mail_due_at);
-- Serves taking back what people were told of a topic or a post that others do not see any more.
create index notifications_of_group on notifications (group_key);
-- serves the deletion of an account that a notice names
create index notifications_about on notifications (about_account) where about_account is not null;
-- Serves the deletion of an account whose name stands there, and withdrawing.
create index notifications_earlier on notifications using gin (earlier jsonb_path_ops) where earlier <> '[]';
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

-- The key pair by which push services know this installation (VAPID, RFC 8292): base64url; the private key is sealed.
create table push_keys (
  only_row boolean primary key default true check (only_row),
  public_key text not null check (length(public_key) between 80 and 100),
  private_key bytea not null
);

-- Browsers that take pushes for somebody, until their session ends.
create table push_subscriptions (
  subscription_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  endpoint text not null check (length(endpoint) between 10 and 1000),
  -- base64url, to encrypt for this browser
  p256dh text not null check (length(p256dh) between 80 and 100),
  auth text not null check (length(auth) between 16 and 32),
  created_at timestamptz not null,
  -- a browser belongs to one person at a time
  unique (endpoint)
);
-- serves who is to be reached, and the export
create index push_subscriptions_of_account on push_subscriptions (account_id, created_at);
-- serves the end of a session
create index push_subscriptions_of_session on push_subscriptions (session_id);

-- Pushes on their way: a notification for one browser. Gone once it was taken.
create table push_messages (
  push_id uuid primary key,
  notification_id uuid not null references notifications on delete cascade,
  subscription_id uuid not null references push_subscriptions on delete cascade,
  -- the next try; of one that is being sent, when somebody else may try
  due_at timestamptz not null,
  tries smallint not null default 0,
  -- also in the quiet hours of its person
  urgent boolean not null default false,
  unique (notification_id, subscription_id)
);
-- serves what is due, urgent pushes first: an evacuation must not wait behind the news of a deal for thousands
create index push_messages_next on push_messages (urgent desc, due_at);
-- serves a browser that is gone
create index push_messages_of_subscription on push_messages (subscription_id);
