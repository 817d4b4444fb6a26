import { useEffect, useMemo } from 'react'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { noteKept } from '../../kit/browser/connection.ts'
import { isObject } from '../../kit/browser/reading.ts'
import { keepInSession, storedInSession } from '../../accounts/web/session.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { Favorite } from '../contract.ts'
import { listFavorites } from './list-calls.ts'
import { learnSaved } from './saved.ts'

/** Of a guest; that of an account goes with its session. */
const guestKey = 'rheinklang-saved-list'

/** What a list showed last: for when there is no network. */
export interface KeptList {
  favorites: Favorite[]
  /** ISO */
  asOf: string
}

export function keptList(of: 'guest' | 'user'): KeptList | null {
  try {
    const text = of === 'user' ? storedInSession('myFavorites') : localStorage.getItem(guestKey)
    const kept: unknown = JSON.parse(text ?? 'null')
    if (!isObject(kept) || typeof kept['asOf'] !== 'string') return null
    // it is as it was read when it came, but perhaps by an older version of this app
    const favorites = listFavorites.read(kept['favorites'])
    return favorites ? { favorites, asOf: kept['asOf'] } : null
  } catch {
    return null
  }
}

export function keepList(of: 'guest' | 'user', favorites: readonly Favorite[]): void {
  const text = JSON.stringify({ favorites, asOf: new Date().toISOString() })
  try {
    if (of === 'guest') localStorage.setItem(guestKey, text)
    else {
      keepInSession({ myFavorites: text })
      localStorage.removeItem(guestKey)
    }
  } catch {
    // storage is shut or full: then there is no list without a network
  }
}

/** The list that was kept, where no answer came; null: there is an answer, or nothing was kept. */
export function useKeptList(of: 'guest' | 'user', refused: RefusedAnswer | null): KeptList | null {
  const kept = useMemo(() => (refused?.status === 0 ? keptList(of) : null), [of, refused])
  useEffect(() => {
    if (kept) noteKept(kept.asOf)
  }, [kept])
  return kept
}

export const wholeList = { as: 'background', query: { limit: '100' } } as const

/** Asks for the list of who is logged in and keeps it. */
export async function keepFavorites(): Promise<void> {
  await learnSaved()
  const { answer } = await ask(callByFetch, listFavorites, wholeList)
  if (answer) keepList('user', answer.body)
}
