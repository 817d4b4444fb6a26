-- Serves what is due, urgent pushes first: an evacuation must not wait behind the news of a deal for thousands.
create index push_messages_next on push_messages (urgent desc, due_at);
drop index push_messages_due;
