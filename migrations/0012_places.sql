-- What every guest looks for sooner or later: toilets, drinking water, first aid, step-free ways.
create table useful_places (
  place_id uuid primary key,
  place_name text not null check (char_length(place_name) between 1 and 120),
  kind text not null check (kind in ('toilet', 'water', 'first_aid', 'step_free')),
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  -- null: not known
  step_free boolean,
  -- hours, or how to find it, as the list says it
  note text check (char_length(note) <= 300),
  -- of an import: the list and the id there, by which a later import finds the place again
  source_id text unique check (char_length(source_id) <= 300),
  updated_at timestamptz not null
);
-- serves the places within a box of the map
create index useful_places_by_position on useful_places (latitude, longitude);
