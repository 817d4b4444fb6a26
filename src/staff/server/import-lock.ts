import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../kit/server/database.ts'
import { Refusal } from '../../kit/shared/refusal.ts'
import { importBusy } from '../contract.ts'

/** Another import was still running after the time to wait. */
export class ImportBusy extends Error {}

export const commandWaitsMs = 60_000
/** Short, because a request holds a database connection while it waits. */
export const requestWaitsMs = 1000

/**
 * Locks imports until the end of the transaction: two at once would both insert the same rows. Tries in steps, because statements are
 * cancelled after three seconds.
 * @throws `ImportBusy`
 */
export async function lockImports(
  trx: Sql,
  tryLock: (trx: Sql) => Promise<boolean>,
  waitMs: number = commandWaitsMs,
): Promise<void> {
  const deadline = performance.now() + waitMs
  while (!(await tryLock(trx))) {
    if (performance.now() >= deadline) throw new ImportBusy('Another import is still running. Try again later.')
    await sleep(100)
  }
}

/** For a request: the refusal in place of `ImportBusy`. */
export const refuseBusy = (error: unknown): never => {
  throw error instanceof ImportBusy ? new Refusal(importBusy, { retryAfterS: 60 }) : error
}
