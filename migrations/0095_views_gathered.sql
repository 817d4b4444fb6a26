-- Views are gathered and written in one statement for many visitors. How many of each counted, beside how many have counted in
-- the window so far, is what the statement adds to the hour.
alter table view_visits add column granted int not null default 0;
