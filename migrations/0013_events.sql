create table venues (
  venue_id uuid primary key,
  venue_name text not null check (char_length(venue_name) between 1 and 120),
  address text check (char_length(address) <= 200),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  capacity int check (capacity > 0),
  -- null: not known
  step_free boolean,
  quiet_area boolean,
  -- of an import: the source and the name there, by which a later import finds the venue again
  source_id text unique check (char_length(source_id) <= 300),
  updated_at timestamptz not null,
  check ((latitude is null) = (longitude is null))
);

create table stages (
  stage_id uuid primary key,
  venue_id uuid not null references venues on delete cascade,
  stage_name text not null check (char_length(stage_name) between 1 and 120),
  -- order of the columns of the programme; equal ones by name
  position int not null default 0,
  source_id text unique check (char_length(source_id) <= 300)
);
-- serves the stages of a venue
create index stages_of_venue on stages (venue_id);

create table performers (
  performer_id uuid primary key,
  performer_name text not null check (char_length(performer_name) between 1 and 120),
  source_id text unique check (char_length(source_id) <= 300)
);
-- serves finding a performer by name when staff type one
create index performers_by_name on performers (lower(performer_name));

create table events (
  event_id uuid primary key,
  title text not null check (char_length(title) between 1 and 120),
  category text not null default 'other'
    check (category in ('music', 'nightlife', 'food', 'workshop', 'family', 'culture', 'sport', 'other')),
  -- what staff decided; "ended" follows from the time
  state text not null default 'scheduled' check (state in ('draft', 'scheduled', 'delayed', 'moved', 'cancelled')),
  starts_at timestamptz not null,
  -- null: open end
  ends_at timestamptz,
  -- the end by which times are compared: ends_at, or an hour after the start
  over_at timestamptz not null,
  -- the day of the festival, which lasts until 06:00 of the next morning
  festival_day date not null,
  -- null: the place is not known yet
  stage_id uuid references stages on delete restrict,
  languages text[] not null default '{}',
  -- 0: free; null: not said
  price_rappen int check (price_rappen >= 0),
  ticket_url text check (char_length(ticket_url) <= 2000),
  age_min smallint check (age_min between 0 and 99),
  family_friendly boolean not null default false,
  image_url text check (char_length(image_url) <= 2000),
  -- where and when it was to be before the last move or delay
  previous_starts_at timestamptz,
  previous_place text check (char_length(previous_place) <= 250),
  -- how many have it in their schedule
  saves int not null default 0 check (saves >= 0),
  -- counts the changes that calendars must hear of
  sequence int not null default 0,
  -- of an import: the source, the id there, and what the source said last, so that a later import changes only what has
  -- changed there and leaves what staff edited
  source text check (char_length(source) <= 60),
  source_id text check (char_length(source_id) <= 300),
  source_said jsonb,
  description text check (char_length(description) <= 5000),
  -- The description as elements, as posts have theirs: Markdown is read once, when an event is written, and pages only draw it.
  content jsonb,
  -- weights: A title, B performers and stage, D description; kept by triggers
  doc tsvector not null default '',
  -- A deleted event is hidden and not gone: what people saved of it must come back when staff take the deletion back
  -- (decision 58). It has the state of a draft, so that everything that hides drafts hides it as well; `event_changes` keeps
  -- the state that it had.
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (ends_at > starts_at),
  check (over_at > starts_at),
  unique (source, source_id)
);
-- serves the programme of a day and of all days in order, and what comes before and after an event
create index events_by_start on events (starts_at, event_id) where state <> 'draft';
-- serves the programme of a day
create index events_of_day on events (festival_day, starts_at, event_id);
-- serves what runs now and next, and parallel events: those that are not over at a moment
create index events_by_end on events (over_at, starts_at) where state <> 'draft';
-- serves the events of a stage, and that a stage with events stays
create index events_of_stage on events (stage_id, starts_at);
-- serves search by words
create index events_by_words on events using gin (doc);
-- serves what has changed since a moment
create index events_changed on events (updated_at, event_id);
-- serves what is removed for good
create index events_deleted on events (deleted_at) where deleted_at is not null;

-- whoever publishes an event has brought it back
create function undelete_event() returns trigger
language plpgsql
as $$
begin
  new.deleted_at := null;
  return new;
end
$$;
create trigger events_undelete before update of state on events
for each row when (new.state <> 'draft' and new.deleted_at is not null) execute function undelete_event();

create table event_performers (
  event_id uuid not null references events on delete cascade,
  performer_id uuid not null references performers on delete cascade,
  position smallint not null,
  primary key (event_id, performer_id)
);
-- serves the other sets of a performer
create index events_of_performer on event_performers (performer_id, event_id);

create function event_doc(e events) returns tsvector
language sql stable
return setweight(to_tsvector('simple', search_fold(e.title)), 'A')
  || setweight(to_tsvector('simple', search_fold(coalesce((
       select string_agg(p.performer_name, ' ') from event_performers ep join performers p using (performer_id)
       where ep.event_id = e.event_id), '') || ' ' || coalesce((
       select s.stage_name || ' ' || v.venue_name from stages s join venues v using (venue_id)
       where s.stage_id = e.stage_id), ''))), 'B')
  || setweight(to_tsvector('simple', search_fold(coalesce(e.description, ''))), 'D');

create function fill_event_doc() returns trigger
language plpgsql
as $$
begin
  new.doc := event_doc(new);
  return new;
end
$$;
create trigger events_fill_doc before insert or update of title, description, stage_id on events
for each row execute function fill_event_doc();

create function refill_event_docs_of_performers() returns trigger
language plpgsql
as $$
begin
  update events e set doc = event_doc(e)
  where e.event_id in (select distinct event_id from changed);
  return null;
end
$$;
create trigger event_performers_empty_docs after delete on event_performers
referencing old table as changed for each statement execute function refill_event_docs_of_performers();

-- The names of added performers are appended to what is searched: folding a long description anew for each of them made an
-- import of a thousand events twice as slow.
create function add_performers_to_event_docs() returns trigger
language plpgsql
as $$
begin
  update events e set doc = e.doc || setweight(to_tsvector('simple', search_fold(added.names)), 'B')
  from (
    select c.event_id, string_agg(p.performer_name, ' ') as names from changed c join performers p using (performer_id)
    group by c.event_id
  ) added
  where e.event_id = added.event_id;
  return null;
end
$$;
create trigger event_performers_add_to_docs after insert on event_performers
referencing new table as changed for each statement execute function add_performers_to_event_docs();

-- What a person typed: every word must be found, or the beginning of a word. At most eight words count. Null when nothing
-- searchable was typed, and then nothing is found.
create function event_query(typed text) returns tsquery
language sql stable strict parallel safe
return (
  select string_agg(quote_literal(left(word, 40)) || ':*', ' & ')::tsquery
  from (select word from regexp_split_to_table(trim(search_fold(left(typed, 200))), ' ') word where word <> '' limit 8) words
);

-- Holds events until the end of the transaction, in the order of their ids, so that two who hold several never wait for each other.
create function hold_events(ids uuid[]) returns boolean
language plpgsql
as $$
begin
  perform from events where event_id = any (ids) order by event_id for no key update;
  return true;
end
$$;

-- Published events that were deleted or taken back: those who follow the changes of the programme hear of them.
create table removed_events (
  event_id uuid primary key,
  removed_at timestamptz not null
);
-- serves what has been removed since a moment
create index removed_events_since on removed_events (removed_at, event_id);

-- What an action of staff or an import changed of each event: what an undo gives back, and what schedules hear of.
create table event_changes (
  -- checked at the end of the transaction: the entry is written once it is known what the action did
  entry_id uuid not null references audit_entries on delete cascade deferrable initially deferred,
  event_id uuid not null,
  -- null: the event was made by it, or deleted by it
  before jsonb,
  after jsonb,
  -- Source, source_id and source_said of the event before the change: an undo gives them back, so that the next import knows the
  -- event again and brings what was undone. null: it came from no source.
  source_before jsonb,
  -- Of the event after the change, as in iCalendar. Jobs tell changes in any order, so each change keeps its own number.
  sequence int,
  primary key (entry_id, event_id)
);
-- serves finding what was changed after an entry
create index event_changes_of_event on event_changes (event_id, entry_id);

-- Pictures that staff uploaded for events. One that no event ever had is deleted after a day. The others stay: the log can
-- bring every one of them back.
create table event_pictures (
  -- of the file
  name text primary key check (char_length(name) <= 60),
  made_at timestamptz not null,
  -- an event has or had it
  is_used boolean not null default false
);
-- serves what is deleted by night
create index event_pictures_unused on event_pictures (made_at, name) where not is_used;
-- serves the limit of a day
create index event_pictures_made on event_pictures (made_at);
