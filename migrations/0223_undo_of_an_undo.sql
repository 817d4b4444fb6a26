-- An undo is an entry that can be undone as well: entries form a chain by `undoes`. These two functions read it.

-- Whether what the entry did is taken back now: undone, or undone, redone and undone again.
create function is_undone(entry uuid) returns boolean
language sql stable
as $$
  with recursive undos as (
    select a.entry_id, 1 as number from audit_entries a where a.undoes = entry
    union all
    select a.entry_id, u.number + 1 from undos u join audit_entries a on a.undoes = u.entry_id
  )
  select coalesce(max(number), 0) % 2 = 1 from undos
$$;

-- The entry at the start of the chain and how many undos lead from it to this entry. An odd number: this entry took the
-- action back; an even one: this entry did it, or did it again.
create function undo_chain(entry uuid, out first_id uuid, out undos int)
language sql stable
as $$
  with recursive chain as (
    select a.entry_id, a.undoes, 0 as number from audit_entries a where a.entry_id = entry
    union all
    select a.entry_id, a.undoes, c.number + 1 from chain c join audit_entries a on a.entry_id = c.undoes
  )
  select entry_id, number from chain where undoes is null
$$;
