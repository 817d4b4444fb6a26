-- The language that a merchant's words are in, guessed when they are written; null: they do not tell. Pages mark words that are
-- not in their own language with it.
alter table deals add column lang text check (lang in ('en', 'de', 'fr', 'it'));
