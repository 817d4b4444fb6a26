import { useState } from 'react'

interface Kept<Item> {
  item: Item
  at: number
  text: string
  released: boolean
}

/**
 * A list whose rows stay where they are once they are dealt with, so that a second tap never meets the next row. They leave
 * with `forget`; a `released` one is as the list says again, as soon as the list has it.
 */
export function useInPlace<Item>(listed: Item[], idOf: (item: Item) => string) {
  const [all, setAll] = useState<Kept<Item>[]>([])
  const ids = new Set(listed.map(idOf))
  const kept = all.filter(({ item, released }) => !released || !ids.has(idOf(item)))
  const keptOf = (item: Item) => kept.find((each) => idOf(each.item) === idOf(item)) ?? null
  const shown = listed.filter((item) => !keptOf(item))
  for (const { at, item } of kept.toSorted((a, b) => a.at - b.at)) shown.splice(at, 0, item)
  return {
    shown,
    /** What is said in the row of one that was dealt with. */
    keptOf,
    keep: (item: Item, text = '') => {
      const at = shown.findIndex((each) => idOf(each) === idOf(item))
      setAll((now) => [
        ...now.filter((each) => idOf(each.item) !== idOf(item)),
        { item, at: at < 0 ? shown.length : at, text, released: false },
      ])
    },
    release: (item: Item) =>
      setAll((now) => now.map((each) => (idOf(each.item) === idOf(item) ? { ...each, released: true } : each))),
    forget: () => setAll([]),
  }
}
