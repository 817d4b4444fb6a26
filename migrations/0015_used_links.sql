-- A reset link that has set the password and waits for the code of the second factor: it opens a session with it, and sets
-- nothing any more. null: not used yet.
alter table mailed_links add column used_at timestamptz;
