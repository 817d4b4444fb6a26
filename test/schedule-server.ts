import type { EntryEdit, Schedule } from '../src/schedule/web/schedule-intents.ts'
import type { RefusedAnswer } from '../src/kit/shared/refusal.ts'
import type { ScheduleEntry } from '../src/schedule/contract.ts'

type Account = 'lena' | 'tom'
type Field = keyof EntryEdit

/** A change that the server has heard of; times are ms of true time, as it reckons. */
export interface ServedChange<By> {
  account: Account
  key: string
  what: 'put' | 'remove'
  fields: EntryEdit
  at: number
  /** Fields that another device had said later. */
  overruled: Field[]
  /** False: refused, as another device was later. */
  isEffective: boolean
  by: By
}

interface Stored {
  entry: ScheduleEntry
  /** When each field was set last. */
  setAt: Partial<Record<Field, number>>
  updatedAt: number
}

export const eventOf = (event_id: string) =>
  ({ event_id, title: event_id, starts_at: '2026-06-20T20:00:00Z' }) as ScheduleEntry['event']

/** The rules of schedule/server/entries.ts and its store, in memory. */
export class ScheduleServer<By> {
  readonly served: ServedChange<By>[] = []
  private readonly stored = { lena: new Map<string, Stored>(), tom: new Map<string, Stored>() }
  private readonly removed = { lena: new Map<string, number>(), tom: new Map<string, number>() }

  list = (account: Account): Schedule => ({
    entries: [...this.stored[account].values()].map(({ entry }) => entry),
    feed_url: null,
    share_url: null,
    today: '',
    account_id: account,
  })

  put(by: By, account: Account, key: string, fields: EntryEdit, now: number, secondsAgo = 0) {
    const at = now - secondsAgo * 1000
    const isRemovedSince = secondsAgo > 0 && (this.removed[account].get(key) ?? -Infinity) > at
    let known = this.stored[account].get(key)
    if (isRemovedSince && !known) {
      this.served.push({ account, key, what: 'put', fields, at, overruled: [], isEffective: false, by })
      return { body: null, refused: { status: 409, code: 'schedule_removed_later', error: 'Removed.' } }
    }
    const time = new Date(at).toISOString()
    const plain = { priority: 'want' as const, note: null, reminders: [], created_at: time, updated_at: time }
    known ??= { entry: { ...plain, entry_id: `entry of ${key}`, event: eventOf(key) }, setAt: {}, updatedAt: at }
    for (const name of isRemovedSince ? [] : (Object.keys(fields) as Field[]))
      if (secondsAgo === 0 || (known.setAt[name] ?? -Infinity) <= at) {
        known = {
          ...known,
          entry: { ...known.entry, [name]: fields[name] },
          setAt: { ...known.setAt, [name]: at },
        }
      }
    const { entry } = known
    this.stored[account].set(key, { ...known, updatedAt: Math.max(known.updatedAt, at) })
    const isOther = (name: Field) => JSON.stringify(fields[name]) !== JSON.stringify(entry[name])
    const overruled = (Object.keys(fields) as Field[]).filter(isOther)
    this.served.push({ account, key, what: 'put', fields, at, overruled, isEffective: true, by })
    return { body: { entry, overruled }, refused: null }
  }

  remove(by: By, account: Account, key: string, now: number, secondsAgo = 0): RefusedAnswer | null {
    const at = now - secondsAgo * 1000
    const known = this.stored[account].get(key)
    const stays = known !== undefined && secondsAgo > 0 && known.updatedAt > at
    if (!stays) this.stored[account].delete(key)
    this.removed[account].set(key, Math.max(at, this.removed[account].get(key) ?? -Infinity))
    this.served.push({ account, key, what: 'remove', fields: {}, at, overruled: [], isEffective: !stays, by })
    return stays ? { status: 409, code: 'schedule_changed_later', error: 'Changed.' } : null
  }
}
