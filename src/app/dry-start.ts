import { systemClock } from '../kit/server/clock.ts'
import { openDatabase, type DatabaseAddress } from '../kit/server/database.ts'
import { inDryRun } from '../kit/server/dry-run.ts'
import type { Config } from './config.ts'
import { prepareDatabase } from './prepare-database.ts'
import { whatIsNotReady } from './readiness.ts'
import { rooms } from './rooms.ts'
import { siteOf } from './start.ts'
import { inASentence } from './start-faults.ts'

// The doctor loads this from the bundle if there is one: a production install lacks packages that rooms import.

/**
 * Does everything that a start does to the database, and rolls it back. Not beside a running instance: its locks would hold up visitors.
 * @returns what the start would log, and what a public site would lack
 * @throws Error with the sentence that the start would fail with
 */
export async function tryStart(
  config: Config,
  address: DatabaseAddress,
): Promise<{ notes: string[]; notReady: string[] }> {
  const notes: string[] = []
  const note = (message: string, error?: unknown) =>
    notes.push(error instanceof Error ? `${message} (${error.message})` : message)
  const demo = config.demoData ? siteOf(config) : null
  try {
    return await inDryRun(address, async (db) => {
      await prepareDatabase(db, { rooms, clock: systemClock, demo, note })
      return { notes, notReady: await whatIsNotReady(config, db, systemClock) }
    })
  } catch (error) {
    throw inASentence(error)
  }
}

/** What a public site lacks, looked up in a database that is in use. */
export async function lookAtReadiness(config: Config, address: DatabaseAddress): Promise<string[]> {
  const { db } = openDatabase(address, { maxConnections: 1, patient: true })
  try {
    return await whatIsNotReady(config, db, systemClock)
  } finally {
    await db.destroy()
  }
}
