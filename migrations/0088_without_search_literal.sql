-- Searches write their words themselves now; nothing has called this for long.
drop function search_literal(text);
