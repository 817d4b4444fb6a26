-- When the author took back a rating that staff had hidden. The row stays, without its words, so that what staff decided
-- holds for whatever the author writes of the deal next.
alter table ratings add column withdrawn_at timestamptz;
