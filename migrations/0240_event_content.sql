-- The description as elements, as posts have theirs: Markdown is read once, when an event is written, and pages only draw it.
-- null beside a description: written before this; it is read from the Markdown then.
alter table events add column content jsonb;
