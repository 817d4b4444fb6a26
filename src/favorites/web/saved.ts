import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { copies } from '../../kit/browser/copies.ts'
import { outbox } from '../../kit/browser/outbox.ts'
import { followOutbox, useOutbox } from '../../kit/browser/use-outbox.ts'
import { currentSession, followSession, ownerHere } from '../../accounts/web/session.ts'
import { listFavoriteKeys, mergeFavorites, removeFavorite, saveFavorite } from '../contract.ts'
import { openFavorites } from './favorite-intents.ts'
import { moveOldFavorites } from './old-favorites.ts'

const none: readonly string[] = []
const as = 'background'

const favorites = openFavorites(
  { outbox, copies },
  {
    list: async () => (await ask(callByFetch, listFavoriteKeys, { as })).answer?.body.keys ?? null,
    merge: async (keys) =>
      (await ask(callByFetch, mergeFavorites, { as, body: { keys: [...keys] } })).answer?.body.keys ?? null,
    async send(key, what, seconds_ago) {
      const [kind = '', id = ''] = key.split(':')
      const input = { as, params: { kind, id }, query: { seconds_ago } } as const
      const { refused } = await (what === 'add'
        ? ask(callByFetch, saveFavorite, input)
        : ask(callByFetch, removeFavorite, input))
      return refused
    },
  },
  // merchants save nothing
  () => (currentSession() === 'business' ? null : ownerHere()),
)
export const favoriteIntents = favorites.intents

// before the first render
if (typeof document !== 'undefined') moveOldFavorites(ownerHere())

const state: { isBegun: boolean; lastOwner: string | null; sending: Promise<void> } = {
  isBegun: false,
  lastOwner: null,
  sending: Promise.resolve(),
}

/** Keys of saved things, the newest first. */
export const savedKeys = favorites.keys

/** `savedKeys` as a hook. */
export const useSavedKeys = (): readonly string[] => useSaved(savedKeys, none)

/** Whether a thing is saved. Of hundreds of hearts only the changed one renders again. */
export const useIsSaved = (key: string): boolean => useSaved(() => savedKeys().includes(key), false)

/** Keys that the server knows, as one text separated by spaces. */
export const useSentKeys = (): string => useSaved(() => favorites.sentKeys().join(' '), '')

/** Whether what a guest had saved here has come along to the account, followed. */
export const useIsMerged = (): boolean => useSaved(() => favorites.isMerged(), false)

const useSaved = <Value>(read: () => Value, atServer: Value) => useOutbox(read, atServer, follow)

function follow(hear: () => void): () => void {
  begin()
  const leave = [followOutbox(hear), followSession(hear)]
  return () => {
    for (const each of leave) each()
  }
}

export const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind}:${id}`

/** Saves or removes a thing: here at once, on the server when it can be reached. False: the limit is reached. */
export function toggleSaved(key: string, name: string | null = null): boolean {
  begin()
  if (!favorites.toggle(key, name)) return false
  if (currentSession() === 'user') void send()
  return true
}

/** Once a page: loads the account's favorites and sends unsent changes. */
function begin() {
  if (state.isBegun || typeof document === 'undefined') return
  state.isBegun = true
  followSession(() => void settle())
  addEventListener('online', () => void settle())
  void settle()
}

/** Resolves when the account's favorites are loaded; for pages without a heart. */
export async function learnSaved(): Promise<void> {
  begin()
  await state.sending
}

async function settle(): Promise<void> {
  const owner = ownerHere()
  const isNew = owner !== state.lastOwner
  state.lastOwner = owner
  favorites.settle()
  if (currentSession() === 'user' && (isNew || unsentSaved() > 0)) await send()
}

/** Number of unsent changes of the logged-in account. */
export const unsentSaved = (): number =>
  currentSession() === 'user' ? outbox.of(favoriteIntents.name, ownerHere()).filter((each) => !each.refused).length : 0

/** Sends unsent changes, if the server can be reached. */
export async function sendSaved(): Promise<void> {
  begin()
  if (unsentSaved() > 0) await send()
}

/** Sends one run after the other. */
function send(): Promise<void> {
  state.sending = state.sending.then(() => favorites.send()).catch(() => {})
  return state.sending
}
