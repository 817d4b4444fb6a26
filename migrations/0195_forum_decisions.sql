-- When a flag was decided: a post that its author changed after that can be flagged again by the same person. Null: it is open,
-- or was decided by the release before, which does not write this.
alter table forum_flags add column decided_at timestamptz;

-- Hidden because its first post is: it comes back with that post. One that a moderator hid by itself does not.
alter table forum_topics add column hidden_with_post boolean not null default false;

-- serves taking the name of a deleted account out of the log of staff
create index audit_entries_of_object on audit_entries (object_kind, object_id);

-- A moderator has corrected its title or tags: what its author changes of them after that waits for approval.
alter table forum_topics add column is_corrected boolean not null default false;
