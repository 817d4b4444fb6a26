import type { Sql } from '../../kit/server/database.ts'
import { insertRows, stableId } from '../../kit/server/demo-rows.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { slugOf } from '../../kit/shared/slug.ts'
import { positionNear } from '../../map/demo/position-near.ts'
import { demoBusinesses } from './businesses.ts'

/** The moment from which all times of the demo are counted, and where it takes place. */
interface Festival {
  now: Temporal.Instant
  centre: Position
}

/**
 * Fills the merchants of `businesses.ts` into a database that has none. The same clock gives the same rows, and ids
 * depend on names alone, so a link to a demo merchant stays good from one data folder to the next.
 */
export async function fillDemoBusinesses(trx: Sql, festival: Festival): Promise<void> {
  await insertRows(trx, 'businesses', businessRows(festival))
}

export function businessRows({ now, centre }: Festival) {
  return demoBusinesses.map((business, index) => {
    const position = business.at && positionNear(centre, business.at)
    const canton = business.canton ?? 'BS'
    const created = now.subtract({ hours: 24 * (45 + ((index * 37) % 300)) })
    return {
      business_id: businessId(business.name),
      business_name: business.name,
      slug: slugOf(business.name),
      email: `hello@${slugOf(business.name).slice(0, 40)}.example`,
      address: business.address,
      description: business.about ?? null,
      category: business.category,
      phone: business.phone ?? null,
      website: business.website ?? null,
      open_hours: business.hours,
      hours_known: business.hours !== null && !business.hoursUnclear,
      canton,
      latitude: position?.latitude ?? null,
      longitude: position?.longitude ?? null,
      subscription_tier: business.tier ?? 'FREE',
      featured_until: business.promoted ? now.add({ hours: 21 * 24 }).toString() : null,
      claimed: true,
      created_at: created.toString(),
      updated_at: now.subtract({ hours: 5 + ((index * 29) % 400) }).toString(),
    }
  })
}

export function businessId(name: string): string {
  return stableId(`business ${name}`)
}
