import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import type { DemoSetting } from '../../kit/server/demo-rows.ts'
import type { Room } from '../../kit/server/room.ts'
import * as store from './store.ts'

/** Logs that a part of the demo was left out, and why. A fault in the demo must not stop the server from starting. */
export type NoteLeftOut = (sentence: string, error: unknown) => void

/**
 * Fills the demo room by room, lowest first, each part once, so that an older demo gets the parts of new rooms. A part that cannot be
 * filled, perhaps because people changed what it needs, is left out and tried again at the next start. A database with
 * merchants of its own stays unchanged. Instances that start together fill it once.
 */
export async function fillDemo(
  rooms: readonly Room[],
  { db, clock, ...place }: { db: Database; clock: Clock } & Omit<DemoSetting, 'now'>,
  noteLeftOut: NoteLeftOut,
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    await store.lockDemo(trx)
    const filled = await store.filledRooms(trx)
    if (filled.length === 0 && (await store.hasBusinesses(trx))) return
    for (const room of rooms) {
      if (!room.demo || filled.includes(room.name)) continue
      await store.beginPart(trx)
      try {
        await room.demo(trx, { now, ...place })
        await store.noteFilled(trx, room.name, asDate(now))
      } catch (error) {
        await store.undoPart(trx)
        noteLeftOut(`the demo's part of ${room.name} cannot be filled and is left out`, error)
      }
    }
  })
}
