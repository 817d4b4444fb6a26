import { readable } from '../../kit/browser/asking.ts'
import { isObject } from '../../kit/browser/reading.ts'
import { storeInSession, storedInSession } from '../../accounts/web/session.ts'
import { tellUnsent } from '../../kit/browser/unsent.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import { listSchedule } from '../contract.ts'
import { withChange, type Change, type Lost } from './changes.ts'

export type Schedule = AnswerBody<typeof listSchedule>

/** The schedule as the server told it last. */
export interface KeptSchedule {
  schedule: Schedule
  /** ISO */
  asOf: string
}

/** What was done here and not sent, and what could not be followed: of one account. */
export interface Unsent {
  account_id: string | null
  changes: Change[]
  lost: Lost[]
}

/** Of the account that is here. It outlives a session that ends by itself, and goes with who logs out. */
const unsentName = 'unsent.schedule'
/** Of accounts that were here before and whose session ended by itself; another one's logout leaves it. */
const asideName = 'aside.schedule'
/** The one that was here longest ago gives way. */
const asideMost = 4
const nothing: Unsent = { account_id: null, changes: [], lost: [] }
/** What storage could not take, as it is full or blocked; it lies over what is stored, for as long as this page. */
let inMemory: Unsent | null = null

export function keptSchedule(): KeptSchedule | null {
  try {
    const kept: unknown = JSON.parse(storedInSession('mySchedule') ?? 'null')
    if (!isObject(kept) || typeof kept['asOf'] !== 'string') return null
    const schedule = readable(listSchedule).read(kept['schedule'])
    return schedule ? { schedule, asOf: kept['asOf'] } : null
  } catch {
    return null
  }
}

export function keepSchedule(schedule: Schedule): KeptSchedule {
  const kept = { schedule, asOf: new Date().toISOString() }
  storeInSession({ mySchedule: JSON.stringify(kept) })
  return kept
}

/** Read each time, as other tabs write it too. */
export function unsent(): Unsent {
  if (inMemory) return inMemory
  try {
    const text = localStorage.getItem(unsentName)
    if (text === null) return nothing
    return readUnsent(JSON.parse(text)) ?? nothing
  } catch {
    return nothing
  }
}

function readUnsent(stored: unknown): Unsent | null {
  if (!isObject(stored) || !Array.isArray(stored['changes'])) return null
  return {
    account_id: typeof stored['account_id'] === 'string' ? stored['account_id'] : null,
    changes: stored['changes'] as Change[],
    lost: Array.isArray(stored['lost']) ? (stored['lost'] as Lost[]) : [],
  }
}

/** Whether some of accounts that are not here was put aside. */
export const isSomeAside = () => aside().length > 0

function aside(): Unsent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(asideName) ?? '[]')
    return Array.isArray(stored) ? stored.map(readUnsent).filter((each) => each !== null) : []
  } catch {
    return []
  }
}

function keepAside(all: Unsent[]): boolean {
  try {
    if (all.length === 0) localStorage.removeItem(asideName)
    else localStorage.setItem(asideName, JSON.stringify(all.slice(0, asideMost)))
    return true
  } catch {
    return false
  }
}

/**
 * What this account has not sent; null: it is not known yet who is here. What another one has left is put aside, and comes back with its
 * next login.
 */
export function unsentOf(account: string | null): Unsent {
  const here = unsent()
  const isOthers = here.account_id !== null && here.account_id !== account
  const before = aside()
  const own = before.find(({ account_id }) => account !== null && account_id === account)
  const mine = { ...(isOthers ? nothing : here), account_id: account }
  if (!isOthers && !own) return mine
  const others = before.filter((each) => each !== own && each.account_id !== here.account_id)
  const left = isOthers
    ? [
        both(
          before.find(({ account_id }) => account_id === here.account_id),
          here,
        ),
      ]
    : []
  const next = both(own, mine)
  if (!keepAside([...left, ...others])) return mine
  keepUnsent(next)
  return next
}

const both = (earlier: Unsent | undefined, later: Unsent): Unsent =>
  earlier
    ? {
        account_id: later.account_id,
        changes: later.changes.reduce(withChange, earlier.changes),
        lost: [...earlier.lost, ...later.lost],
      }
    : later

export function keepUnsent(next: Unsent): void {
  try {
    if (next.changes.length + next.lost.length === 0) localStorage.removeItem(unsentName)
    else localStorage.setItem(unsentName, JSON.stringify(next))
    inMemory = null
  } catch {
    inMemory = next
  }
  tellUnsent('schedule', next.changes.length)
}
