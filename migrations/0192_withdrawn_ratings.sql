-- When the author took back a rating that staff had hidden. The row stays, without its words, so that what staff decided
-- holds for whatever the author writes of the deal next.
alter table ratings
  add column withdrawn_at timestamptz,
  add constraint ratings_withdrawn_check check (withdrawn_at is null or (comment is null and reply is null));
