-- The session that asked for a change of the address: once the change counts it goes on, and all others of the account end.
alter table mailed_links add column session_id uuid;
