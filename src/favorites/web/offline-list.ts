import { useEffect, useMemo } from 'react'
import { ask, readable } from '../../kit/browser/ask.ts'
import { callByFetch, callNoting } from '../../kit/browser/call-endpoint.ts'
import { currentConnection, noteOfflineCopy, useConnection } from '../../kit/browser/connection.ts'
import { cachedAtHeader } from '../../kit/browser/offline-caches.ts'
import { isObject } from '../../kit/browser/reading.ts'
import { copies } from '../../kit/browser/copies.ts'
import { currentSession, ownerHere, type Session } from '../../accounts/web/session.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { type Favorite, listFavorites, previewFavorites } from '../contract.ts'
import { favoritesMost, previewMost } from '../limits.ts'
import { learnSaved, savedKeys } from './saved.ts'

const copyName = 'favorites-list'

/** The offline copy of the list of favorites. */
interface OfflineList {
  favorites: Favorite[]
  /** ISO */
  asOf: string
  /** Keys that were saved then; some may be gone, and missing in `favorites`. */
  keys: string[]
}

export function offlineList(): OfflineList | null {
  const copy = copies.get(ownerHere(), copyName)
  if (!copy || !isObject(copy.value)) return null
  // read again, because an older version of the app may have stored it
  const favorites = readable(listFavorites).read(copy.value['favorites'])
  const keys = Array.isArray(copy.value['keys']) ? copy.value['keys'].map(String) : []
  return favorites ? { favorites, asOf: copy.asOf, keys } : null
}

const storeList = (favorites: readonly Favorite[]) =>
  copies.set(ownerHere(), copyName, { favorites, keys: savedKeys() })

/** The offline copy of the list, if there is no answer or a cached one; null: there is a fresh answer, or no copy. */
export function useOfflineList(refused: RefusedAnswer | null): OfflineList | null {
  const { isOffline } = useConnection()
  const isMissing = isOffline || refused?.status === 0
  const list = useMemo(() => (isMissing ? offlineList() : null), [isMissing])
  useEffect(() => {
    if (list) noteOfflineCopy(list.asOf)
  }, [list])
  return list
}

/** Items in one answer. */
const pageSize = 100

export const firstPage = { as: 'background', query: { limit: String(pageSize) } } as const

/** Stores a loaded list; loads the rest of a longer one. */
export async function storeWholeList(first: readonly Favorite[]): Promise<void> {
  // the list comes from the service worker's cache: nothing new to store
  if (currentConnection().isOffline) return
  if (savedKeys().length <= (currentSession() === 'user' ? pageSize : previewMost)) storeList(first)
  else await storeListOf(currentSession())
}

/** Loads all favorites and stores the offline copy. `unlessSame`: not if the copy has the same keys. */
export async function storeFavorites({ unlessSame = false } = {}): Promise<void> {
  await learnSaved()
  if (unlessSame && isSame(offlineList()?.keys ?? [], savedKeys())) return
  await storeListOf(currentSession())
}

const storeListOf = (session: Session) => (session === 'user' ? storeListOfAccount() : storeListOfGuest())

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && new Set([...some, ...others]).size === some.length

/** Loads page by page; if one fails, the old copy stays. */
async function storeListOfAccount(): Promise<void> {
  const favorites: Favorite[] = []
  let query: { limit: string; after?: string } = firstPage.query
  while (favorites.length < favoritesMost) {
    const { answer } = await ask(callByFetch, listFavorites, { as: 'background', query })
    // store nothing after a logout
    if (!answer || currentSession() !== 'user') return
    favorites.push(...answer.body)
    if (!answer.next) break
    query = { ...firstPage.query, after: answer.next }
  }
  storeList(favorites)
}

async function storeListOfGuest(): Promise<void> {
  const keys = savedKeys()
  const favorites: Favorite[] = []
  let isMissing = false
  // does not change the connection line, which is about shown answers
  const callAhead = callNoting((answer) => {
    if (!answer || answer.headers.has(cachedAtHeader)) isMissing = true
  })
  for (let from = 0; from < keys.length; from += previewMost) {
    const query = { keys: keys.slice(from, from + previewMost).join(',') }
    const { answer } = await ask(callAhead, previewFavorites, { query })
    if (!answer || isMissing) return
    favorites.push(...answer.body)
  }
  storeList(favorites)
}
