import { copies } from '../../kit/browser/copies.ts'
import { forgetOldCount } from '../../kit/browser/outbox-items.ts'
import { outbox } from '../../kit/browser/outbox.ts'
import { scheduleOutbox } from '../../kit/browser/picks.ts'
import { isObject } from '../../kit/browser/reading.ts'
import { currentSession, knowAccount, ownerHere } from '../../accounts/web/session.ts'
import type { EntryChange, EntryEdit } from './schedule-intents.ts'

// Remove one release after 1.1: it moves data that version 1.0 stored on phones.
const oldCopy = 'mySchedule'
const oldUnsent = 'unsent.schedule'
/** Unsent changes of accounts that used the phone before. */
const oldAside = 'aside.schedule'

interface OldChange {
  event_id: string
  what: EntryChange['what']
  title: string
  at: number
  fields: { [Name in keyof EntryEdit]: { value: EntryEdit[Name]; at: number } }
  event?: EntryChange['event']
}
interface OldLost {
  event_id: string
  title: string
  why: 'later' | 'stays' | 'refused'
  field?: keyof EntryEdit
  text: string | null
}
interface OldUnsent {
  account_id: string | null
  changes: OldChange[]
  lost: OldLost[]
}

/** Moves the schedule of version 1.0 into outbox and offline copies, once. */
export function moveOldSchedule(): void {
  try {
    moveCopy()
    const aside = stored(oldAside)
    const here = stored(oldUnsent)
    if (here === null && aside === null) return
    const isMoved = [...(Array.isArray(aside) ? aside : []), here].map((each) => moveUnsent(each))
    // if storage is full, the old items stay: they hold everything
    if (!outbox.isStored()) return
    localStorage.removeItem(oldAside)
    if (!isMoved.at(-1)) return
    localStorage.removeItem(oldUnsent)
    forgetOldCount(scheduleOutbox)
  } catch {
    // storage is blocked, or the old items cannot be read
  }
}

const stored = (name: string): unknown => JSON.parse(localStorage.getItem(name) ?? 'null')

function moveCopy() {
  const old = stored(oldCopy)
  localStorage.removeItem(oldCopy)
  if (currentSession() !== 'user' || !isObject(old) || !isObject(old['schedule'])) return
  knowAccount(String(old['schedule']['account_id'] ?? ''))
  if (typeof old['asOf'] === 'string') copies.set(ownerHere(), scheduleOutbox, old['schedule'], old['asOf'])
}

/** False: the owner is known only after the next login. */
function moveUnsent(given: unknown): boolean {
  const old = given as OldUnsent | null
  if (!old || !Array.isArray(old.changes)) return true
  const owner = old.account_id ? `user-${old.account_id}` : ownerHere()
  if (owner === 'guest') return false
  const add = (n: string, at: number, subject: string, data: EntryChange, code?: string, error = '') =>
    outbox.add<EntryChange>({
      // a fixed key: an interrupted move starts again without doubling
      key: `moved-${subject}-${n}`,
      at,
      kind: scheduleOutbox,
      owner,
      subject,
      data,
      ...(code && { refused: { code, error } }),
    })
  for (const { event_id, what, title, at, fields, event } of old.changes) {
    const given = what === 'remove' ? [] : Object.entries(fields)
    if (what !== 'change')
      add('', Math.min(at, ...given.map(([, each]) => each.at - 1)), event_id, { what, title, fields: {}, event })
    for (const [field, each] of given)
      add(field, each.at, event_id, { what: 'change', title, fields: { [field]: each.value } })
  }
  const codes = { later: 'overruled', stays: 'schedule_changed_later', refused: 'refused' }
  for (const { event_id, title, why, field, text } of old.lost ?? []) {
    const fields = field ? { [field]: text } : {}
    const error = why === 'refused' ? (text ?? '') : ''
    add(`lost-${field}`, Date.now(), event_id, { what: 'change', title, fields }, codes[why], error)
  }
  return true
}
