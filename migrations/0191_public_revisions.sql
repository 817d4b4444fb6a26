-- An earlier version of a post is there for everybody only if everybody saw it and its author replaced it. What was replaced before an approval,
-- or by a moderator, is for staff. Of the versions kept so far nobody knows what they were: they are for staff.
alter table forum_revisions add column is_public boolean not null default false;
