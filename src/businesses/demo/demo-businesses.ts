import { z } from 'zod'
import { categories } from '../../brand/categories.ts'
import type { Sql } from '../../kit/server/database.ts'
import { insertRows, readDemo, stableId, type DemoSetting } from '../../kit/server/demo-rows.ts'
import { slugOf } from '../../kit/shared/slug.ts'
import { positionNear } from '../../map/demo/position-near.ts'
import { profileChanges } from '../contract/editing.ts'
import { tiers } from '../limits.ts'

/**
 * Invented businesses. The streets are real, the houses, people and offers are not; positions were set by hand, within about 50 m.
 * Phone numbers begin with 061 000: no Swiss number begins like that, so nobody is called by mistake.
 */
const demoBusiness = profileChanges
  .extend({
    business_name: profileChanges.shape.business_name.unwrap(),
    category: z.enum(categories),
    subscription_tier: z.enum(tiers).default('FREE'),
    /** Runs the CHF 200 promotion; one business at most. */
    promoted: z.literal(true).optional(),
    canton: z.enum(['BS', 'BL']).default('BS'),
    /** False: the hours are missing, or in words that only people can read. */
    hours_known: z.boolean().default(true),
    made_days_ago: z.int(),
    changed_hours_ago: z.int(),
  })
  .strict()

export const demoBusinesses = () => readDemo('businesses', z.array(demoBusiness))

/** The same clock gives the same rows. Ids depend on names alone, so that links work in every demo. */
export async function fillDemoBusinesses(trx: Sql, setting: DemoSetting): Promise<void> {
  await insertRows(trx, 'businesses', businessRows(setting))
}

export function businessRows({ now, centre }: DemoSetting) {
  return demoBusinesses().map(({ promoted, made_days_ago, changed_hours_ago, latitude, longitude, ...business }) => ({
    business_id: businessId(business.business_name),
    slug: slugOf(business.business_name),
    ...business,
    description: business.description ?? null,
    phone: business.phone ?? null,
    website: business.website ?? null,
    ...demoPosition(centre, latitude, longitude),
    featured_until: promoted ? now.add({ hours: 21 * 24 }).toString() : null,
    claimed: true,
    created_at: now.subtract({ hours: 24 * made_days_ago }).toString(),
    updated_at: now.subtract({ hours: changed_hours_ago }).toString(),
  }))
}

/** A demo position moved to the centre of the festival; null stays null. */
export function demoPosition(
  centre: DemoSetting['centre'],
  latitude: number | null | undefined,
  longitude: number | null | undefined,
) {
  if (latitude == null || longitude == null) return { latitude: null, longitude: null }
  return positionNear(centre, { latitude, longitude })
}

export function businessId(name: string): string {
  return stableId(`business ${name}`)
}
