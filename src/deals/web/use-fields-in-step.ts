import { useEffect, useEffectEvent, useRef } from 'react'

/** Calls `set` for each field of a form when the query in the address changes (back, a removed filter). `last`: the query before. */
export function useFieldsInStep<Query extends object>(query: Query, set: (field: Element, last: Query) => void) {
  const form = useRef<HTMLFormElement>(null)
  const before = useRef<Query | null>(null)
  const setField = useEffectEvent(set)
  useEffect(() => {
    const last = before.current
    before.current = query
    // keep what was chosen before the script was loaded
    if (last) for (const field of form.current?.elements ?? []) setField(field, last)
  }, [query])
  return form
}
