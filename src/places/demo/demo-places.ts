import { z } from 'zod'
import type { Sql } from '../../kit/server/database.ts'
import { insertRows, readDemo, stableId, type DemoSetting } from '../../kit/server/demo-rows.ts'
import { positionNear } from '../../map/demo/position-near.ts'
import { usefulPlace } from '../contract.ts'

/** Invented places near the stages of the demo. */
const demoPlaces = z.array(
  usefulPlace.omit({ place_id: true, distance_km: true, open_now: true, open_until: true, opens_at: true }).strict(),
)

export async function fillDemoPlaces(trx: Sql, { now, centre }: DemoSetting): Promise<void> {
  const rows = readDemo('places', demoPlaces).map((place) => ({
    place_id: stableId(`place ${place.place_name}`),
    ...place,
    ...positionNear(centre, place),
    updated_at: now.toString(),
  }))
  await insertRows(trx, 'useful_places', rows)
}
