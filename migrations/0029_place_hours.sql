-- When useful places are open.
alter table useful_places
  -- in the syntax of OpenStreetMap, tidy; null: not known
  add column opening_hours text check (char_length(opening_hours) <= 500);
