import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { AnswerBody, AnyEndpoint, CallInput } from '../shared/endpoint.ts'
import type { RefusedAnswer } from '../shared/refusal.ts'
import { ask, type ApiCall } from './asking.ts'
import { callByFetch } from './call-endpoint.ts'

interface Listed<Item> {
  /** null: the first answer is on its way. */
  items: Item[] | null
  /** There are more. */
  isCut: boolean
  /** Why the last try failed; the items before stay. */
  refused: RefusedAnswer | null
}

type ItemOf<E extends AnyEndpoint> = AnswerBody<E> extends (infer Item)[] ? Item : never

/** The most of a list that the API answers at once. */
const atOnce = 100

/**
 * A private list that grows by `step` with each `more`, as far as it goes. It is asked for from its beginning each time, so
 * nothing is missing or there twice when it changes meanwhile.
 */
export function usePages<E extends AnyEndpoint, Item = ItemOf<E>>(
  endpoint: E | ApiCall<E, Item[]>,
  inputOf: (page: { limit: number; after: string | undefined }) => CallInput<E>,
  step = 20,
) {
  const [listed, setListed] = useState<Listed<Item>>({ items: null, isCut: false, refused: null })
  // a new object asks again
  const [wanted, setWanted] = useState({ count: step })
  const load = useEffectEvent(async (count: number): Promise<(before: Listed<Item>) => Listed<Item>> => {
    const items: Item[] = []
    let after: string | undefined
    do {
      // each page says where the next one begins
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
