import type { Clock } from '../kit/server/clock.ts'
import type { Database } from '../kit/server/database.ts'
import { migrate, newerMigrations } from '../kit/server/migrate.ts'
import type { Room } from '../kit/server/room.ts'
import type { Position } from '../kit/shared/geo.ts'
import { fillDemo } from './demo/fill-demo.ts'

/**
 * Writes what a start needs in the database: migrations, the demo, and updates of rooms. It changes nothing else, so that the doctor
 * can try it and roll it back.
 */
export async function prepareDatabase(
  db: Database,
  {
    rooms,
    clock,
    demo,
    note,
  }: {
    rooms: readonly Room[]
    clock: Clock
    /** null: no demo data. */
    demo: { name: string; zone: string; centre: Position } | null
    note: (message: string, error?: unknown) => void
  },
): Promise<void> {
  await migrate(db, note)
  const newer = await newerMigrations(db)
  if (newer.length > 0) note(`a newer version has been at this database (${newer.join(', ')}); this one runs beside it`)
  if (demo) await fillDemo(rooms, { db, clock, ...demo }, note)
  for (const room of rooms) await room.prepare?.({ db, clock })
}
