-- What staff chose for the files of a programme, remembered for its next file.
create table programme_sources (
  source text primary key check (char_length(source) between 1 and 60),
  -- the field of each heading of a table, or '' for a column that is not read
  columns jsonb not null default '{}',
  -- of dates such as 03/04/2026
  day_order text check (day_order in ('day-first', 'month-first'))
);
