import { ownerHere } from '../../accounts/web/session-store.ts'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { copies } from '../../kit/browser/copies.ts'
import { staleAfterMs } from '../../kit/browser/on-return.ts'
import { isObject } from '../../kit/browser/reading.ts'
import { useOutbox } from '../../kit/browser/use-outbox.ts'
import { getShared } from '../contract.ts'

/** A friend whose shared schedule lies over mine. Known to this phone alone: the server gets no more than requests for the shared link. */
export interface Friend {
  /** Of the shared link. */
  token: string
  name: string
  /** Ids of the events that the friend saved. */
  events: string[]
  /** When they were loaded, ms since 1970. */
  asOf: number
}

export const friendsMost = 8
const thing = 'friends'
const none: readonly Friend[] = []
const read = new WeakMap<object, readonly Friend[]>()

function friendsOf(owner: string): readonly Friend[] {
  const copy = copies.get(owner, thing)
  if (!copy) return none
  const known = read.get(copy) ?? (Array.isArray(copy.value) ? copy.value.filter(isFriend) : none)
  read.set(copy, known)
  return known
}

const isFriend = (value: unknown): value is Friend =>
  isObject(value) &&
  typeof value['token'] === 'string' &&
  typeof value['name'] === 'string' &&
  typeof value['asOf'] === 'number' &&
  Array.isArray(value['events'])

/** Those of a guest stay on the phone, also after a login; those of an account leave with its session. */
const owners = () => [...new Set(['guest', ownerHere()])]

const merged = { of: [] as (readonly Friend[])[], all: none }
/** The same list until something changes. */
export function friendsHere(): readonly Friend[] {
  const of = owners().map(friendsOf)
  if (of.length !== merged.of.length || of.some((each, n) => each !== merged.of[n])) {
    const all = new Map(of.flat().map((friend) => [friend.token, friend]))
    Object.assign(merged, { of, all: [...all.values()].slice(0, friendsMost) })
  }
  return merged.all
}

/** The friends on my timetable; none on the server and during hydration. */
export const useFriends = (): readonly Friend[] => useOutbox(friendsHere, none)

type Shared = { owner: string; entries: readonly { event: { event_id: string } }[] }

const friendOf = (token: string, { owner, entries }: Shared): Friend => ({
  token,
  name: owner,
  events: entries.map(({ event }) => event.event_id),
  asOf: Date.now(),
})

/** Puts a friend on my timetable. False: there are `friendsMost` already. */
export function addFriend(token: string, shared: Shared): boolean {
  if (friendsHere().length >= friendsMost) return false
  copies.set(ownerHere(), thing, [...friendsOf(ownerHere()), friendOf(token, shared)])
  return true
}

export const removeFriend = (token: string): void => replace(token, [])

/** Replaces what is known of a friend, if the friend is on my timetable. */
export const updateFriend = (token: string, shared: Shared): void => replace(token, [friendOf(token, shared)])

function replace(token: string, by: Friend[]) {
  for (const owner of owners()) {
    const friends = friendsOf(owner)
    if (friends.some((each) => each.token === token))
      copies.set(
        owner,
        thing,
        friends.flatMap((each) => (each.token === token ? by : each)),
      )
  }
}

/**
 * Loads stale schedules of friends from their links, and removes friends whose link was taken back.
 * @returns the names of those
 */
export async function refreshFriends(): Promise<string[]> {
  const gone: string[] = []
  for (const { token, name, asOf } of friendsHere()) {
    if (Date.now() - asOf < staleAfterMs) continue
    const { answer, refused } = await ask(callByFetch, getShared, { params: { token } })
    if (answer) updateFriend(token, answer.body)
    // a missing answer or an error page of a Wi-Fi says nothing about the link
    if (refused?.code !== 'shared_schedule_not_found') continue
    removeFriend(token)
    gone.push(name)
  }
  return gone
}

/** "L", "TM"; two letters of the name where another friend has the same initials. */
export function initialsOf({ name, token }: Friend, friends: readonly Friend[]): string {
  const initials = lettersOf(name)
  const isShared = friends.some((each) => each.token !== token && lettersOf(each.name) === initials)
  return isShared ? [...name].slice(0, 2).join('') : initials
}

const lettersOf = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
