-- What staff has everybody told at once: a storm, an evacuation, a closed venue. Shown on every page until its end.
create table urgent_notices (
  notice_id uuid primary key,
  kind text not null check (kind in ('storm', 'evacuation', 'closure', 'other')),
  text_en text not null check (char_length(text_en) between 1 and 300),
  text_de text not null check (char_length(text_de) between 1 and 300),
  text_fr text not null check (char_length(text_fr) between 1 and 300),
  created_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > created_at),
  -- ended by staff before its time
  ended_at timestamptz
);
-- serves what is shown now
create index urgent_notices_shown on urgent_notices (ends_at) where ended_at is null;
-- serves the list of staff, newest first
create index urgent_notices_newest on urgent_notices (created_at desc, notice_id desc);
