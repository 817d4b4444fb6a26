import type { Clock } from '../../kit/server/clock.ts'
import type { Database } from '../../kit/server/database.ts'
import type { Position } from '../../kit/shared/geo.ts'

export async function fillDemoData(_: { db: Database; clock: Clock; zone: string; centre: Position }): Promise<void> {}
