import type { Category } from '../../brand/categories.ts'
import { dealRows } from '../../deals/demo/demo-deals.ts'
import { countRating } from '../../deals/server/deals.ts'
import type { Sql } from '../../kit/server/database.ts'
import { insertRows, stableId } from '../../kit/server/demo-rows.ts'
import type { Position } from '../../kit/shared/geo.ts'
import { demoAuthors, demoComments, type DemoComment } from './comments.ts'

/** Rates the deals of the demo; they must be there. */
export async function fillDemoRatings(
  trx: Sql,
  festival: { now: Temporal.Instant; zone: string; centre: Position },
): Promise<void> {
  const rows = ratingRows(festival)
  await insertRows(trx, 'ratings', rows)
  for (const [dealId, ratings] of Map.groupBy(rows, ({ deal_id }) => deal_id)) {
    const stars = ratings.reduce((sum, rating) => sum + rating.stars, 0)
    await countRating(trx, dealId, { stars, ratings: ratings.length })
  }
}

/**
 * A few deals have many ratings, most have some, every fifth has none; each comment is said once. What is written without
 * words is as good as what is written with them.
 */
function ratingRows(festival: Parameters<typeof fillDemoRatings>[1]) {
  const left = new Map(
    (Object.entries(demoComments) as [Category, readonly DemoComment[]][]).map(([key, all]) => [key, [...all]]),
  )
  const deals = dealRows(festival).filter(({ state }) => state === 'published')
  return deals.flatMap((deal, index) =>
    Array.from({ length: countOf(index) }, (_, number) => {
      const said = number < 2 ? left.get(deal.category)?.shift() : undefined
      const seed = index * 7 + number * 13
      const age = festival.now.since(Temporal.Instant.from(deal.created_at)).total('minutes')
      const at = festival.now.subtract({ minutes: Math.round(Math.max(5, age * (0.08 + ((seed * 0.618) % 1) * 0.85))) })
      return {
        rating_id: stableId(`rating ${deal.deal_id} ${number}`),
        deal_id: deal.deal_id,
        business_id: deal.business_id,
        account_id: null,
        author_name: demoAuthors[(index * 5 + number) % demoAuthors.length]!,
        stars: said?.[0] ?? usualStars[seed % usualStars.length]!,
        comment: said?.[1] ?? null,
        verified: deal.redemption_mode === 'code' && seed % 4 !== 0,
        reply: said?.[2] ?? null,
        replied_at: said?.[2] ? at.add({ minutes: 4 }).toString() : null,
        created_at: at.toString(),
        updated_at: at.toString(),
      }
    }),
  )
}

const countOf = (index: number) => (index % 5 === 4 ? 0 : [3, 7, 1, 12, 2, 5, 4, 18, 1, 6, 2][index % 11]!)
/** 4.3 in the mean. */
const usualStars = [5, 4, 5, 5, 3, 4, 5, 4, 5, 2, 5, 4, 5, 4, 4]
