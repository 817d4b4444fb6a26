create table newsletter_subscribers (
  subscriber_id uuid primary key,
  email text not null check (char_length(email) <= 200),
  email_folded text not null unique,
  language text not null check (language in ('en', 'de', 'fr')),
  -- null until the link in the mail was opened
  confirmed_at timestamptz,
  created_at timestamptz not null
);
-- serves the nightly job that forgets who never confirmed
create index newsletter_unconfirmed on newsletter_subscribers (created_at) where confirmed_at is null;
