-- Events that changed and of which who saved them has not been told yet: they are told after a moment, so that a correction
-- or an undo in between is no second notice, and several changes are one.
create table schedule_event_changes (
  event_id uuid primary key,
  -- as people know it: before the first change of which they were not told
  before jsonb not null,
  -- of the event after the last change, as in iCalendar
  sequence int not null,
  tell_at timestamptz not null
);
-- serves what is to be told
create index schedule_event_changes_due on schedule_event_changes (tell_at);

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
-- serves what is due, and a browser that is gone
create index push_messages_due on push_messages (due_at);
create index push_messages_of_subscription on push_messages (subscription_id);
