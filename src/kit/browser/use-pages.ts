import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { AnswerBody, AnyEndpoint, CallInput } from '../shared/endpoint.ts'
import type { RefusedAnswer } from '../shared/refusal.ts'
import { ask, type ApiCall } from './ask.ts'
import { callByFetch } from './call-endpoint.ts'

interface Listed<Item> {
  /** null: the first answer is loading. */
  items: Item[] | null
  /** There are more items. */
  isCut: boolean
  /** Why the last request failed; the items of earlier ones stay. */
  refused: RefusedAnswer | null
}

type ItemOf<E extends AnyEndpoint> = AnswerBody<E> extends (infer Item)[] ? Item : never

/** The largest page of a list in the API. */
const atOnce = 100

/**
 * A private list that grows by `step` items with each `more`. Each time it is asked for from the start, so that no item is
 * missing or doubled when the list changes meanwhile.
 */
export function usePages<E extends AnyEndpoint, Item = ItemOf<E>>(
  endpoint: E | ApiCall<E, Item[]>,
  inputOf: (page: { limit: number; after: string | undefined }) => CallInput<E>,
  step = 20,
) {
  const [listed, setListed] = useState<Listed<Item>>({ items: null, isCut: false, refused: null })
  // a new object of the same count asks again
  const [wanted, setWanted] = useState({ count: step })
  const load = useEffectEvent(async (count: number): Promise<(before: Listed<Item>) => Listed<Item>> => {
    const items: Item[] = []
    let after: string | undefined
    do {
      // the cursor of each page is in the answer before
      // oxlint-disable-next-line no-await-in-loop
      const { answer, refused } = await ask(
        callByFetch,
        endpoint,
        inputOf({ limit: Math.min(atOnce, count - items.length), after }),
      )
      if (refused) return (before) => ({ ...before, refused })
      items.push(...answer.body)
      after = answer.next ?? undefined
    } while (after !== undefined && items.length < count)
    return () => ({ items, isCut: after !== undefined, refused: null })
  })
  useEffect(() => {
    let late = false
    void load(wanted.count).then((then) => {
      if (!late) setListed(then)
    })
    return () => {
      late = true
    }
  }, [wanted])
  return {
    ...listed,
    more: useCallback(() => setWanted(({ count }) => ({ count: count + step })), [step]),
    again: useCallback(() => setWanted(({ count }) => ({ count })), []),
  }
}
