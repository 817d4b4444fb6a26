import { useEffect, useRef } from 'react'
import { defaultMapRadius, showsLayer, type MapQuery } from './deals-map-query.ts'

/** Sets the fields when the address changes (back, a removed filter), but never words that are typed and not sent yet. */
export function useFieldsInStep(query: MapQuery) {
  const form = useRef<HTMLFormElement>(null)
  const before = useRef<MapQuery | null>(null)
  useEffect(() => {
    const last = before.current
    before.current = query
    // keep what was chosen before the script was loaded
    if (!last) return
    for (const field of form.current?.elements ?? []) {
      if (field instanceof HTMLInputElement && (field.type === 'search' || field.type === 'text')) {
        const name = field.name as 'q' | 'category'
        const isTyping = field === document.activeElement && field.value.trim() !== (last[name] ?? '')
        if (query[name] !== last[name] && !isTyping) field.value = query[name] ?? ''
      } else if (field instanceof HTMLInputElement && field.type === 'checkbox') {
        field.checked =
          field.name === 'layers'
            ? showsLayer(query, field.value as 'deals')
            : query[field.name as 'openNow' | 'sponsored'] === 'true'
      } else if (field instanceof HTMLSelectElement) {
        field.value = query[field.name as 'sort' | 'radius'] ?? (field.name === 'sort' ? 'best' : defaultMapRadius)
      }
    }
  }, [query])
  return form
}
