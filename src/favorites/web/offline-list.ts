import { useEffect, useMemo } from 'react'
import { ask, readable } from '../../kit/browser/asking.ts'
import { callByFetch, callNoting } from '../../kit/browser/call-endpoint.ts'
import { currentConnection, noteOfflineCopy, useConnection } from '../../kit/browser/connection.ts'
import { cachedAtHeader } from '../../kit/browser/offline-caches.ts'
import { isObject } from '../../kit/browser/reading.ts'
import { copies } from '../../kit/browser/copies.ts'
import { currentSession, ownerHere, type Session } from '../../accounts/web/session.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { type Favorite, listFavorites, previewFavorites } from '../contract.ts'
import { learnSaved, savedKeys } from './saved.ts'

const copyName = 'favorites-list'

/** What a list showed last: for when there is no network. */
interface OfflineList {
  favorites: Favorite[]
  /** ISO */
  asOf: string
  /** What was saved then; some of it may be gone, and in no list. */
  keys: string[]
}

export function offlineList(): OfflineList | null {
  const copy = copies.get(ownerHere(), copyName)
  if (!copy || !isObject(copy.value)) return null
  // it is as it was read when it came, but perhaps by an older version of this app
  const favorites = readable(listFavorites).read(copy.value['favorites'])
  const keys = Array.isArray(copy.value['keys']) ? copy.value['keys'].map(String) : []
  return favorites ? { favorites, asOf: copy.asOf, keys } : null
}

const storeList = (favorites: readonly Favorite[]) =>
  copies.set(ownerHere(), copyName, { favorites, keys: savedKeys() })

/**
 * The offline copy of the whole list, where no answer came or only one from the service worker's cache; null: there is a fresh answer, or
 * no copy.
 */
export function useOfflineList(refused: RefusedAnswer | null): OfflineList | null {
  const { isOffline } = useConnection()
  const isMissing = isOffline || refused?.status === 0
  const list = useMemo(() => (isMissing ? offlineList() : null), [isMissing])
  useEffect(() => {
    if (list) noteOfflineCopy(list.asOf)
  }, [list])
  return list
}

/** The most that the server gives and takes at once. */
export const pageSize = 100
export const previewSize = 50
/** As many as anybody can have. */
const favoritesMost = 500

export const firstPage = { as: 'background', query: { limit: String(pageSize) } } as const

/** Stores a list that is there already, and asks for the rest of a longer one. */
export async function storeWholeList(first: readonly Favorite[]): Promise<void> {
  // from the service worker's cache, and older than now
  if (currentConnection().isOffline) return
  if (savedKeys().length <= (currentSession() === 'user' ? pageSize : previewSize)) storeList(first)
  else await storeListOf(currentSession())
}

/** Asks for all that is saved and stores it for when there is no network, unless the copy has it already. */
export async function storeFavorites({ unlessSame = false } = {}): Promise<void> {
  await learnSaved()
  if (unlessSame && isSame(offlineList()?.keys ?? [], savedKeys())) return
  await storeListOf(currentSession())
}

const storeListOf = (session: Session) => (session === 'user' ? storeListOfAccount() : storeListOfGuest())

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && new Set([...some, ...others]).size === some.length

/** Page by page; where one does not come, the copy stays as it was. */
async function storeListOfAccount(): Promise<void> {
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
  storeList(favorites)
}

async function storeListOfGuest(): Promise<void> {
  const keys = savedKeys()
  const favorites: Favorite[] = []
  let isMissing = false
  // it tells nothing to the line about the network, which speaks of what is shown
  const callAhead = callNoting((answer) => {
    if (!answer || answer.headers.has(cachedAtHeader)) isMissing = true
  })
  for (let from = 0; from < keys.length; from += previewSize) {
    const query = { keys: keys.slice(from, from + previewSize).join(',') }
    const { answer } = await ask(callAhead, previewFavorites, { query })
    if (!answer || isMissing) return
    favorites.push(...answer.body)
  }
  storeList(favorites)
}
