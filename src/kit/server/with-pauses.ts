import { setImmediate as turn } from 'node:timers/promises'

/** The items one after another; after each `atOnce` of them the requests that wait have their turn. */
export async function* withPauses<Item>(items: Iterable<Item>, atOnce = 100): AsyncGenerator<Item> {
  let done = 0
  for (const item of items) {
    if (done++ % atOnce === 0) await turn()
    yield item
  }
}
