import { useEffect, useMemo } from 'react'
import { ask, readable } from '../../kit/browser/asking.ts'
import { callByFetch, callNoting } from '../../kit/browser/call-endpoint.ts'
import { currentConnection, noteKept, useConnection } from '../../kit/browser/connection.ts'
import { keptAtHeader } from '../../kit/browser/kept-answers.ts'
import { isObject } from '../../kit/browser/reading.ts'
import { currentSession, keepInSession, storedInSession } from '../../accounts/web/session.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { type Favorite, listFavorites, previewFavorites } from '../contract.ts'
import { learnSaved, savedKeys } from './saved.ts'

/** Of a guest; that of an account goes with its session. */
const guestKey = 'rheinklang-saved-list'

/** What a list showed last: for when there is no network. */
export interface KeptList {
  favorites: Favorite[]
  /** ISO */
  asOf: string
  /** What was saved then; some of it may be gone, and in no list. */
  keys: string[]
}

export function keptList(of: 'guest' | 'user'): KeptList | null {
  try {
    const text = of === 'user' ? storedInSession('myFavorites') : localStorage.getItem(guestKey)
    const kept: unknown = JSON.parse(text ?? 'null')
    if (!isObject(kept) || typeof kept['asOf'] !== 'string') return null
    // it is as it was read when it came, but perhaps by an older version of this app
    const favorites = readable(listFavorites).read(kept['favorites'])
    const keys = Array.isArray(kept['keys']) ? kept['keys'].map(String) : []
    return favorites ? { favorites, asOf: kept['asOf'], keys } : null
  } catch {
    return null
  }
}

export function keepList(of: 'guest' | 'user', favorites: readonly Favorite[]): void {
  const kept = { favorites: [...favorites], asOf: new Date().toISOString(), keys: [...savedKeys()] } satisfies KeptList
  const text = JSON.stringify(kept)
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

/**
 * The list that was kept, whole, where no answer came or only one that the service worker had kept; null: there is a fresh one, or
 * nothing was kept.
 */
export function useKeptList(of: 'guest' | 'user', refused: RefusedAnswer | null): KeptList | null {
  const { isOffline } = useConnection()
  const isMissing = isOffline || refused?.status === 0
  const kept = useMemo(() => (isMissing ? keptList(of) : null), [of, isMissing])
  useEffect(() => {
    if (kept) noteKept(kept.asOf)
  }, [kept])
  return kept
}

/** The most that the server gives and takes at once. */
export const pageSize = 100
export const previewSize = 50
/** As many as anybody can have. */
const favoritesMost = 500

export const firstPage = { as: 'background', query: { limit: String(pageSize) } } as const

/** Keeps a list that is there already, and asks for the rest of a longer one. */
export async function keepWholeList(of: 'guest' | 'user', first: readonly Favorite[]): Promise<void> {
  // kept by the service worker already, and older than now
  if (currentConnection().isOffline) return
  if (savedKeys().length <= (of === 'user' ? pageSize : previewSize)) keepList(of, first)
  else await (of === 'user' ? keepListOfAccount() : keepListOfGuest())
}

/** Asks for all that is saved and keeps it, unless it is what was kept last. */
export async function keepFavorites({ unlessSame = false } = {}): Promise<void> {
  await learnSaved()
  const of = currentSession() === 'user' ? 'user' : 'guest'
  if (unlessSame && isSame(keptList(of)?.keys ?? [], savedKeys())) return
  await (of === 'user' ? keepListOfAccount() : keepListOfGuest())
}

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && new Set([...some, ...others]).size === some.length

/** Page by page; where one does not come, what was kept before stays. */
async function keepListOfAccount(): Promise<void> {
  const favorites: Favorite[] = []
  let query: { limit: string; after?: string } = firstPage.query
  while (favorites.length < favoritesMost) {
    const { answer } = await ask(callByFetch, listFavorites, { as: 'background', query })
    // who has logged out meanwhile leaves nothing here
    if (!answer || currentSession() !== 'user') return
    favorites.push(...answer.body)
    if (!answer.next) break
    query = { ...firstPage.query, after: answer.next }
  }
  keepList('user', favorites)
}

async function keepListOfGuest(): Promise<void> {
  const keys = savedKeys()
  const favorites: Favorite[] = []
  let isMissing = false
  // it tells nothing to the line about the network, which speaks of what is shown
  const callAhead = callNoting((answer) => {
    if (!answer || answer.headers.has(keptAtHeader)) isMissing = true
  })
  for (let from = 0; from < keys.length; from += previewSize) {
    const query = { keys: keys.slice(from, from + previewSize).join(',') }
    const { answer } = await ask(callAhead, previewFavorites, { query })
    if (!answer || isMissing) return
    favorites.push(...answer.body)
  }
  keepList('guest', favorites)
}
