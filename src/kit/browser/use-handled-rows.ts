import { useState } from 'react'

interface HandledRow<Item> {
  item: Item
  /** Its place in the list when it was handled. */
  index: number
  text: string
  released: boolean
}

/**
 * Keeps handled rows at their place in the list, so that a second tap cannot hit the row below. They stay until
 * `clearHandled`. A row that is `released` shows the item of `listed` again as soon as `listed` has it.
 */
export function useHandledRows<Item>(listed: Item[], idOf: (item: Item) => string) {
  const [all, setAll] = useState<HandledRow<Item>[]>([])
  const ids = new Set(listed.map(idOf))
  const handled = all.filter(({ item, released }) => !released || !ids.has(idOf(item)))
  const handledOf = (item: Item) => handled.find((each) => idOf(each.item) === idOf(item)) ?? null
  const shown = listed.filter((item) => !handledOf(item))
  for (const { index, item } of handled.toSorted((a, b) => a.index - b.index)) shown.splice(index, 0, item)
  return {
    shown,
    /** The handled row of an item, with the text to show in it; null: not handled. */
    handledOf,
    markHandled: (item: Item, text = '') => {
      const index = shown.findIndex((each) => idOf(each) === idOf(item))
      setAll((now) => [
        ...now.filter((each) => idOf(each.item) !== idOf(item)),
        { item, index: index < 0 ? shown.length : index, text, released: false },
      ])
    },
    release: (item: Item) =>
      setAll((now) => now.map((each) => (idOf(each.item) === idOf(item) ? { ...each, released: true } : each))),
    clearHandled: () => setAll([]),
  }
}
