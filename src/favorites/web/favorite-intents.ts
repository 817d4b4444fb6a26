import type { Copies } from '../../kit/browser/copies.ts'
import { waitsInOutbox, type Intent, type Outbox, type IntentKind, type Words } from '../../kit/browser/outbox.ts'
import { secondsSince } from '../../kit/browser/seconds-since.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { favoritesMost } from '../limits.ts'

/** An intent's data; its subject is the key (`kind:id`) of the saved thing. */
export interface SavedChange {
  what: 'add' | 'remove'
  /** null: stored by a version without names. */
  name: string | null
}

/** The requests; null: no answer. */
export interface FavoriteCalls {
  list: () => Promise<readonly string[] | null>
  merge: (keys: readonly string[]) => Promise<readonly string[] | null>
  /** null: done. */
  send: (key: string, what: SavedChange['what'], secondsAgo: number | undefined) => Promise<RefusedAnswer | null>
}

const name = 'favorites'

/** Owner of additions whose session ended by itself: shown to guests, sent with their age at the next login. */
const ended = 'ended'
const none: readonly string[] = []

/**
 * Saved things as keys (`kind:id`), the newest first: the account's offline copy, a guest's picks, and unsent changes.
 * `owner`: `guest`, `user-…`, or null for merchants, who save nothing.
 */
export function openFavorites(
  { outbox, copies, now }: { outbox: Outbox; copies: Copies; now?: () => number },
  calls: FavoriteCalls,
  owner: () => string | null,
) {
  const user = () => {
    const own = owner()
    return own === 'guest' ? null : own
  }
  const isHere = (of: string) => owner() === of

  const intents: IntentKind<SavedChange, readonly string[]> = {
    name,
    owner: user,
    owners: () => [owner() ?? '', 'guest', ended],
    empty: none,
    merge: (_, later) => later,
    apply(keys, { subject, data }) {
      const others = keys.filter((key) => key !== subject)
      return data.what === 'add' ? [subject, ...others] : others
    },
    /** Merges a guest's picks into the account with one request. */
    async before(of) {
      outbox.reassign(ended, of, name)
      const picks = changesOf('guest')
      if (picks.length === 0) return true
      const answer = await calls.merge([...new Set(picks.map(({ subject }) => subject).toReversed())])
      if (!answer || !isHere(of)) return false
      copies.set(of, name, answer)
      // picks that are gone, or for which there is no room
      for (const pick of picks.filter(({ subject }) => !answer.includes(subject)))
        outbox.update(pick, { ...pick, owner: of, refused: { code: 'favorite_not_found', error: '' } })
      outbox.remove(picks.filter(({ subject }) => answer.includes(subject)))
      return true
    },
    async send({ subject, data, at }) {
      const refused = await calls.send(subject, data.what, secondsSince(at, now?.()))
      if (!refused) return 'done'
      if (waitsInOutbox(refused)) return 'later'
      // a refused removal: the thing is not saved there
      return data.what === 'remove' ? 'done' : { refused: { code: refused.code, error: refused.error } }
    },
    words({ data, refused }): Words {
      if (data.name === null) return refused ? { key: 'unnamed', values: {} } : { key: 'saved', values: { n: 1 } }
      return { key: refused ? 'named' : `what.${data.what}`, values: { title: data.name } }
    },
  }

  const changesOf = (of: string) =>
    outbox.of(name, of).filter((each): each is Intent<SavedChange> => each.refused === undefined)

  return {
    intents,
    keys: () => outbox.shown(intents),
    /** Keys that the server knows. */
    sentKeys() {
      const waiting = new Set(intents.owners().flatMap((of) => changesOf(of).map(({ subject }) => subject)))
      return outbox.shown(intents).filter((key) => !waiting.has(key))
    },
    /** True: the account's list is known, and a guest's picks were merged into it. */
    isMerged() {
      const of = user()
      return of !== null && copies.get(of, name) !== null && changesOf('guest').length === 0
    },
    /** Saves or removes; shown at once. False: the limit is reached. */
    toggle(key: string, title: string | null): boolean {
      const of = owner()
      if (of === null) return false
      // additions of an ended session come before this tap
      if (of !== 'guest') outbox.reassign(ended, of, name)
      const keys = outbox.shown(intents)
      const isSaved = keys.includes(key)
      if (!isSaved && keys.length >= favoritesMost) return false
      // a guest's addition is dropped, not followed by a removal: the account may have had the thing for long
      if (of === 'guest' && isSaved)
        outbox.remove(outbox.of(name).filter((each) => each.subject === key && ['guest', ended].includes(each.owner)))
      else outbox.add({ kind: name, owner: of, subject: key, data: { what: isSaved ? 'remove' : 'add', name: title } })
      return true
    },
    /** After a session ended by itself: its additions stay for the next login; removals are dropped, as that may be another account. */
    settle(): void {
      const left = outbox.of(name).filter((each) => each.owner.startsWith('user-') && each.owner !== owner())
      for (const each of left as Intent<SavedChange>[]) {
        if (each.data.what === 'add') outbox.update(each, { ...each, owner: ended })
        else outbox.remove([each])
      }
    },
    /** Sends unsent changes, then loads the list. */
    async send(): Promise<void> {
      const of = user()
      if (of === null || (await outbox.send(intents)) !== 'done') return
      await copies.renew(
        of,
        name,
        async () => (isHere(of) ? calls.list() : null),
        () => isHere(of),
      )
    },
  }
}
