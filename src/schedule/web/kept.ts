import { isObject } from '../../kit/browser/reading.ts'
import { keepInSession, storedInSession } from '../../accounts/web/session.ts'
import { tellUnsent } from '../../kit/browser/unsent.ts'
import { listSchedule } from './calls.ts'
import type { Change, Lost } from './changes.ts'

export type Schedule = NonNullable<ReturnType<typeof listSchedule.read>>

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

/** It outlives a session that ends by itself, and goes with who logs out. */
const unsentName = 'unsent.schedule'
const nothing: Unsent = { account_id: null, changes: [], lost: [] }
/** Where the browser keeps its storage shut it holds for as long as this page. */
let inMemory = nothing

export function keptSchedule(): KeptSchedule | null {
  try {
    const kept: unknown = JSON.parse(storedInSession('mySchedule') ?? 'null')
    if (!isObject(kept) || typeof kept['asOf'] !== 'string') return null
    const schedule = listSchedule.read(kept['schedule'])
    return schedule ? { schedule, asOf: kept['asOf'] } : null
  } catch {
    return null
  }
}

export function keepSchedule(schedule: Schedule): KeptSchedule {
  const kept = { schedule, asOf: new Date().toISOString() }
  keepInSession({ mySchedule: JSON.stringify(kept) })
  return kept
}

/** Read each time, as other tabs write it too. */
export function unsent(): Unsent {
  try {
    const text = localStorage.getItem(unsentName)
    if (text === null) return nothing
    const stored: unknown = JSON.parse(text)
    if (!isObject(stored) || !Array.isArray(stored['changes'])) return nothing
    return {
      account_id: typeof stored['account_id'] === 'string' ? stored['account_id'] : null,
      changes: stored['changes'] as Change[],
      lost: Array.isArray(stored['lost']) ? (stored['lost'] as Lost[]) : [],
    }
  } catch {
    return inMemory
  }
}

export function keepUnsent(next: Unsent): void {
  inMemory = next
  try {
    if (next.changes.length + next.lost.length === 0) localStorage.removeItem(unsentName)
    else localStorage.setItem(unsentName, JSON.stringify(next))
  } catch {
    // see inMemory
  }
  tellUnsent('schedule', next.changes.length)
}
