import { useSyncExternalStore } from 'react'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { isObject } from '../../kit/browser/reading.ts'
import { currentSession, followSession } from '../../accounts/web/session.ts'
import { secondsSince } from '../../kit/browser/seconds-since.ts'
import { tellUnsent } from '../../kit/browser/unsent.ts'
import { listFavoriteKeys, mergeFavorites, removeFavorite, saveFavorite } from '../contract.ts'

/** What this browser knows of what was saved. */
interface Saved {
  /** `kind:id`, the newest first. */
  keys: string[]
  /** What the server has not been told yet: a change made without a network, or as a guest. */
  unsent: Record<string, 'add' | 'remove'>
  /** `ended`: a guest's again, as the session ended by itself before what is here was sent. */
  of: 'guest' | 'user' | 'ended'
  /** When what is unsent was tapped here, ms since 1970 by this device. */
  tappedAt?: Record<string, number>
}

export const savedKey = 'rheinklang-saved'
const most = 500
const nothing: Saved = { keys: [], unsent: {}, of: 'guest' }

let saved: Saved = read()
let begun = false
let sending: Promise<void> | null = null
const listeners = new Set<() => void>()

/** Keys of what is saved, followed. */
export function useSavedKeys(): string[] {
  return useSyncExternalStore(
    follow,
    () => saved.keys,
    () => nothing.keys,
  )
}

/** Of these what the server has been told, followed, in one text. */
export function useToldKeys(): string {
  return useSyncExternalStore(
    follow,
    () => saved.keys.filter((key) => !(key in saved.unsent)).join(' '),
    () => '',
  )
}

/** Whether what a guest had saved here has come along to the account, followed. */
export function useIsMerged(): boolean {
  return useSyncExternalStore(
    follow,
    () => saved.of === 'user',
    () => false,
  )
}

/** The same, at this moment. */
export const savedKeys = (): readonly string[] => saved.keys

export const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind}:${id}`

/** Saves or removes at once here; the server hears of it as soon as it can be reached. False: no room for more. */
export function toggleSaved(key: string): boolean {
  const isSaved = saved.keys.includes(key)
  if (!isSaved && saved.keys.length >= most) return false
  // an addition that was never sent is taken back: a removal might be that of what the account has had for long
  if (isSaved && saved.of === 'ended') {
    change(without(saved, key))
    return true
  }
  change({
    ...saved,
    keys: isSaved ? saved.keys.filter((each) => each !== key) : [key, ...saved.keys],
    unsent: { ...saved.unsent, [key]: isSaved ? 'remove' : 'add' },
    tappedAt: { ...saved.tappedAt, [key]: Date.now() },
  })
  if (currentSession() === 'user') void send()
  return true
}

function without({ unsent, tappedAt = {}, ...rest }: Saved, key: string): Saved {
  const { [key]: _, ...others } = unsent
  const { [key]: __, ...times } = tappedAt
  return { ...rest, keys: rest.keys.filter((each) => each !== key), unsent: others, tappedAt: times }
}

function follow(tell: () => void): () => void {
  listeners.add(tell)
  begin()
  return () => void listeners.delete(tell)
}

/** Once a page: what the server has, and what it has not been told yet. */
function begin() {
  if (begun) return
  begun = true
  followSession(() => void settle())
  addEventListener('online', () => void settle())
  addEventListener('storage', ({ key }) => {
    if (key !== savedKey) return
    saved = read()
    for (const tell of listeners) tell()
  })
  void settle()
}

/** Asks once what the account has saved, for pages without a heart. */
export async function learnSaved(): Promise<void> {
  begin()
  await sending
}

let lastSession: string | null = null

async function settle(): Promise<void> {
  const session = currentSession()
  const isNew = session !== lastSession
  lastSession = session
  if (session !== 'user') {
    // who has logged out leaves nothing of theirs here
    // but a session that ended by itself takes along no addition that was not sent: it is a guest's until the next login
    if (saved.of === 'user') {
      const added = Object.entries(saved.unsent).filter(([, what]) => what === 'add')
      const keys = added.map(([key]) => key)
      change(keys.length > 0 ? { ...saved, keys, unsent: Object.fromEntries(added), of: 'ended' } : nothing)
    }
    return
  }
  if (isNew || Object.keys(saved.unsent).length > 0) await send()
}

/** How many changes of who is logged in were not sent. */
export const unsentSaved = () => (saved.of === 'user' ? Object.keys(saved.unsent).length : 0)

/** Who logs out without having sent them lets them go. */
export const forgetUnsentSaved = () => change({ ...saved, unsent: {} })

/** Sends what was not sent, as far as the server can be reached. */
export async function sendSaved(): Promise<void> {
  // what another tab sends is known here too
  begin()
  if (unsentSaved() > 0) await send()
}

/** One after the other, also when asked again meanwhile. */
function send(): Promise<void> {
  sending = (sending ?? Promise.resolve()).then(sendAll).catch(() => {})
  return sending
}

async function sendAll(): Promise<void> {
  if (currentSession() !== 'user') return
  // from here on it is the account's: a logout mentions what is still unsent, waits for it and clears it
  if (saved.of === 'ended') change({ ...saved, of: 'user' })
  // a guest's picks come along as one
  if (saved.of === 'guest') {
    const keys = saved.keys
    const { answer } = await (keys.length > 0
      ? ask(callByFetch, mergeFavorites, { as: 'background', body: { keys } })
      : ask(callByFetch, listFavoriteKeys, { as: 'background' }))
    if (!answer) return
    // what was tapped meanwhile is sent next
    const since = Object.entries(saved.unsent).filter(([key]) => saved.keys.includes(key) !== keys.includes(key))
    const added = since.flatMap(([key, what]) => (what === 'add' ? key : []))
    const others = answer.body.keys.filter((key) => !since.some(([each]) => each === key))
    change({ of: 'user', keys: [...added, ...others], unsent: Object.fromEntries(since) })
    return
  }
  for (const [key, what] of Object.entries(saved.unsent)) {
    const [kind = '', id = ''] = key.split(':')
    const query = { seconds_ago: secondsSince(saved.tappedAt?.[key]) }
    const input = { as: 'background', params: { kind, id }, query } as const
    const { refused } = await (what === 'add'
      ? ask(callByFetch, saveFavorite, input)
      : ask(callByFetch, removeFavorite, input))
    // an attempt may arrive after its end: what was tapped meanwhile was tapped after that, or the server would not follow it
    if (key in saved.unsent && saved.unsent[key] !== what)
      change({ ...saved, tappedAt: { ...saved.tappedAt, [key]: Date.now() } })
    const comesLater = refused && (refused.status === 0 || refused.status === 401 || refused.status >= 429)
    if (comesLater) return
    if (saved.unsent[key] !== what) continue
    const { [key]: _, ...unsent } = saved.unsent
    // it is gone, there is no room for it, or another device removed it later
    const isRefused = refused !== null && what === 'add'
    change({ ...saved, unsent, keys: isRefused ? saved.keys.filter((each) => each !== key) : saved.keys })
  }
  const { answer } = await ask(callByFetch, listFavoriteKeys, { as: 'background' })
  if (answer && currentSession() === 'user' && Object.keys(saved.unsent).length === 0)
    change({ of: 'user', unsent: {}, keys: answer.body.keys })
}

function change(to: Saved) {
  saved = to
  try {
    localStorage.setItem(savedKey, JSON.stringify(saved))
  } catch {
    // storage is shut: it holds for as long as this page
  }
  tellUnsent('favorites', unsentSaved())
  for (const tell of listeners) tell()
}

function read(): Saved {
  // the server renders for everybody
  if (typeof document === 'undefined') return nothing
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(savedKey) ?? 'null')
    if (!isObject(stored) || !Array.isArray(stored['keys'])) return nothing
    const keys = stored['keys'].filter((key): key is string => typeof key === 'string').slice(0, most)
    const unsent = isObject(stored['unsent']) ? (stored['unsent'] as Saved['unsent']) : {}
    const tappedAt = isObject(stored['tappedAt']) ? (stored['tappedAt'] as Saved['tappedAt']) : {}
    const of = stored['of'] === 'user' || stored['of'] === 'ended' ? stored['of'] : 'guest'
    return { keys, unsent, tappedAt, of }
  } catch {
    return nothing
  }
}
