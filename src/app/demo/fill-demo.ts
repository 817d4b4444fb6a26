import { asDate, type Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import type { Room } from '../../kit/server/room.ts'
import type { Position } from '../../kit/shared/geo.ts'
import * as store from './store.ts'

/**
 * Fills the demo room by room, lowest first, each part once: a demo of an earlier version gets the parts of the rooms
 * that have come since. A database with merchants of its own is left alone. Two instances that start together fill once.
 */
export async function fillDemo(
  rooms: readonly Room[],
  { db, clock, name, zone, centre }: { db: Database; clock: Clock; name: string; zone: string; centre: Position },
): Promise<void> {
  const now = clock.now()
  await db.transaction().execute(async (trx) => {
    await store.lockDemo(trx)
    const filled = await store.filledRooms(trx)
    if (filled.length === 0 && (await store.hasBusinesses(trx))) return
    for (const room of rooms) {
      if (!room.demo || filled.includes(room.name)) continue
      await room.demo(trx, { now, name, zone, centre })
      await store.noteFilled(trx, room.name, asDate(now))
    }
  })
}
