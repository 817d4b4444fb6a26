import { systemClock } from '../kit/server/clock.ts'
import { openDatabase, type DatabaseAddress } from '../kit/server/database.ts'
import { inDryRun } from '../kit/server/dry-run.ts'
import type { Config } from './config.ts'
import { prepareDatabase } from './prepare-database.ts'
import { whatIsNotReady } from './readiness.ts'
import { rooms } from './rooms.ts'
import { siteOf } from './start.ts'
import { inASentence } from './start-faults.ts'

// For the doctor, which loads it from the bundle where there is one: a production install lacks packages that rooms import.

/**
 * Does what a start does to the database, and rolls it back. Beside a running instance that would hold up its visitors.
 * @returns what the start would say in the log, and what a public site lacks then
 * @throws what a start would fail with, as a sentence
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

/** What a public site lacks, of a database that is in use. */
export async function lookAtReadiness(config: Config, address: DatabaseAddress): Promise<string[]> {
  const { db } = openDatabase(address, { maxConnections: 1, patient: true })
  try {
    return await whatIsNotReady(config, db, systemClock)
  } finally {
    await db.destroy()
  }
}
