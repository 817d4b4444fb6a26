-- Addresses are stored in one form: the domain in ASCII, in lower case. Here for those that are ASCII already; the others are
-- done at every start (accounts: canonicaliseAddresses; contact: canonicaliseMessages), for SQL knows no UTS 46.
-- email_folded is from now on: the local part folded (NFKC, case) and the domain in ASCII; or behind a space as typed, where an
-- older address is confusing or has a twin.
update accounts set email = split_part(email, '@', 1) || '@' || lower(split_part(email, '@', 2))
  where octet_length(email) = char_length(email) and split_part(email, '@', 2) <> lower(split_part(email, '@', 2));
update newsletter_subscribers set email = split_part(email, '@', 1) || '@' || lower(split_part(email, '@', 2))
  where octet_length(email) = char_length(email) and split_part(email, '@', 2) <> lower(split_part(email, '@', 2));
update contact_messages set email = split_part(email, '@', 1) || '@' || lower(split_part(email, '@', 2))
  where octet_length(email) = char_length(email) and split_part(email, '@', 2) <> lower(split_part(email, '@', 2));
update businesses set email = split_part(email, '@', 1) || '@' || lower(split_part(email, '@', 2))
  where octet_length(email) = char_length(email) and split_part(email, '@', 2) <> lower(split_part(email, '@', 2));
-- serve the start, which looks at addresses with letters beyond ASCII
create index accounts_beyond_ascii on accounts (account_id) where octet_length(email) <> char_length(email);
create index newsletter_beyond_ascii on newsletter_subscribers (subscriber_id) where octet_length(email) <> char_length(email);
create index contact_beyond_ascii on contact_messages (message_id) where octet_length(email) <> char_length(email);
