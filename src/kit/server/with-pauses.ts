import { setImmediate as turn } from 'node:timers/promises'

/** Yields the items, and lets waiting requests run after every `atOnce` of them. */
export async function* withPauses<Item>(items: Iterable<Item>, atOnce = 100): AsyncGenerator<Item> {
  let done = 0
  for (const item of items) {
    if (done++ % atOnce === 0) await turn()
    yield item
  }
}
