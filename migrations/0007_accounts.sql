create table accounts (
  account_id uuid primary key,
  -- an address may hold one account of each kind; staff are users with another role
  kind text not null check (kind in ('user', 'business')),
  role text not null check (role in ('user', 'business', 'moderator', 'admin')),
  -- to send mail to; the domain in ASCII, in lower case
  email text not null check (char_length(email) <= 200),
  -- to find it by: the local part folded (NFKC, case), the domain in ASCII
  email_folded text not null,
  display_name text not null check (char_length(display_name) between 1 and 80),
  language text not null check (language in ('en', 'de', 'fr')),
  -- argon2id in PHC form; null: came by Google and has set none
  password_hash text,
  verified_at timestamptz,
  -- where a verified address is demanded: when the account goes unless it is; set when the first mail that says so has left
  confirm_by timestamptz,
  confirm_reminded_at timestamptz,
  -- null for visitors, and for merchants whose business is gone
  business_id uuid unique references businesses on delete set null,
  blocked_at timestamptz,
  location_consent boolean not null default false,
  default_reminder_min int check (default_reminder_min between 0 and 120),
  -- secrets of the authenticator app, encrypted; `pending` until a first code of it was seen
  totp_secret bytea,
  totp_pending bytea,
  -- the 30-second step of the last accepted code: a code counts once
  totp_last_step bigint,
  -- when it will be deleted, if that was asked for
  deletion_at timestamptz,
  accepted_terms_at timestamptz,
  created_at timestamptz not null,
  -- serves login and signup: one account per kind and address
  unique (kind, email_folded),
  check ((kind = 'business') = (role = 'business')),
  check (business_id is null or kind = 'business')
);
-- serves "every account of this address" (forgotten password, verified Google address)
create index accounts_by_email on accounts (email_folded);
-- serves the nightly job that deletes what was asked to be deleted
create index accounts_to_delete on accounts (deletion_at) where deletion_at is not null;
-- serves the nightly jobs that ask to confirm an address, and delete accounts nobody has verified
create index accounts_unverified on accounts (account_id) where verified_at is null;
-- serves sealing every secret anew, when the secret of the installation is changed
create index accounts_with_app on accounts (account_id) where totp_secret is not null or totp_pending is not null;
-- serves the list of staff
create index accounts_staff on accounts (email) where role in ('moderator', 'admin');

create table sessions (
  session_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- a word each, so that the list of sessions says them in the reader's language; null: unknown
  browser text check (char_length(browser) <= 40),
  system text check (char_length(system) <= 40),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- 30 days after the last use, at most 90 days after it began
  expires_at timestamptz not null
);
-- serves the list of sessions, and ending all of an account
create index sessions_of_account on sessions (account_id, last_used_at desc);
-- serves the nightly job that forgets expired sessions
create index sessions_expired on sessions (expires_at);

-- Open streams of a session end with it, on all instances, whatever ends it.
create function tell_ended_sessions() returns trigger language plpgsql as $$
begin
  insert into live_events (channel, kind, data, created_at)
  select 'session:' || session_id, 'ended', '{}', now() from ended;
  if found then
    perform pg_notify('live_events', '');
  end if;
  return null;
end $$;
create trigger sessions_told after delete on sessions
  referencing old table as ended for each statement execute function tell_ended_sessions();

-- The chain of refresh tokens of a session: all are used up but the last.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  issued_at timestamptz not null,
  used_at timestamptz
);
-- serves the end of a session
create index refresh_tokens_of_session on refresh_tokens (session_id);

-- Links of mails, each good once and for its time. The token is made of the id with the installation's key, so that a
-- mail can be tried again; kept is only its hash.
create table mailed_links (
  link_id uuid primary key,
  token_hash bytea not null unique,
  purpose text not null check (purpose in ('verify', 'reset', 'change_email', 'newsletter')),
  account_id uuid references accounts on delete cascade,
  subscriber_id uuid references newsletter_subscribers on delete cascade,
  -- the address that a change waits for
  new_email text check (char_length(new_email) <= 200),
  -- The session that asked for a change of the address: once the change counts it goes on, and all others of the account end.
  session_id uuid,
  -- A reset link that has set the password and waits for the code of the second factor: it opens a session with it, and sets
  -- nothing any more. null: not used yet.
  used_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((purpose = 'newsletter') = (subscriber_id is not null)),
  check ((purpose = 'newsletter') = (account_id is null)),
  check ((purpose = 'change_email') = (new_email is not null))
);
-- serves "a new link replaces the old ones"
create index mailed_links_of_account on mailed_links (account_id, purpose);
create index mailed_links_of_subscriber on mailed_links (subscriber_id) where subscriber_id is not null;
-- serves the nightly job that forgets expired links
create index mailed_links_expired on mailed_links (expires_at);

-- Mails on their way; a row lives until its mail has left or was refused for good.
create table outgoing_mails (
  mail_id uuid primary key,
  kind text not null,
  account_id uuid references accounts on delete cascade,
  subscriber_id uuid references newsletter_subscribers on delete cascade,
  link_id uuid references mailed_links on delete cascade,
  -- to whom, where that is not the address of the account
  email text check (char_length(email) <= 200),
  -- The folded address of a mail without an account: a wish for the newsletter goes with the account of its address.
  email_folded text,
  data jsonb not null default '{}',
  locale text not null,
  -- under which address the reader knows the site
  origin text not null,
  created_at timestamptz not null
);
create index outgoing_mails_of_account on outgoing_mails (account_id) where account_id is not null;
create index outgoing_mails_of_subscriber on outgoing_mails (subscriber_id) where subscriber_id is not null;
create index outgoing_mails_of_link on outgoing_mails (link_id) where link_id is not null;
-- serves the nightly job that forgets mails that could not be sent for days
create index outgoing_mails_old on outgoing_mails (created_at);
-- serves the deletion of an account
create index outgoing_mails_to on outgoing_mails (email_folded) where email_folded is not null;

create table recovery_codes (
  account_id uuid not null references accounts on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

create table identities (
  provider text not null check (provider = 'google'),
  -- the provider's own id of the person (`sub`); never the address
  subject text not null check (char_length(subject) <= 255),
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (provider, subject),
  unique (account_id, provider)
);

-- A browser on its way to Google and back, ten minutes at most.
create table google_flows (
  state_hash bytea primary key,
  -- of a cookie, so that only the browser that began can finish
  browser_hash bytea not null,
  code_verifier text not null,
  nonce text not null,
  next text not null check (char_length(next) <= 2000),
  origin text not null,
  expires_at timestamptz not null
);
create index google_flows_expired on google_flows (expires_at);

-- Somebody who came back from Google and exchanges a code for a session.
create table google_arrivals (
  code_hash bytea primary key,
  -- of the same cookie: a code that somebody else was given logs nobody in as them
  browser_hash bytea not null,
  subject text not null,
  email text not null,
  email_verified boolean not null,
  display_name text not null,
  next text not null,
  locale text not null,
  expires_at timestamptz not null
);
create index google_arrivals_expired on google_arrivals (expires_at);

-- Addresses (keyed hashes) from which an account has logged in: who guesses from elsewhere cannot lock them out.
create table familiar_addresses (
  account_id uuid not null references accounts on delete cascade,
  address bytea not null,
  last_used_at timestamptz not null,
  primary key (account_id, address)
);
create index familiar_addresses_old on familiar_addresses (last_used_at);

-- Proofs of work that were handed in: each counts once.
create table used_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenges_expired on used_challenges (expires_at);

-- What happened to an account, for its owner; the same stands in the log.
create table security_events (
  event_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  event text not null,
  request_id text not null,
  at timestamptz not null
);
create index security_events_of_account on security_events (account_id, at desc);
create index security_events_old on security_events (at);
