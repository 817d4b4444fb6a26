-- When people were last told that there is something left again. One person may take a deal and give it back many times: it is told at most
-- once in half an hour. The row stays until then, and the job of each minute tells what is still true.
alter table full_deals add column told_at timestamptz, add column is_full boolean not null default true;
