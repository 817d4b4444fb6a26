import { z } from 'zod'
import { categories } from '../../brand/categories.ts'
import { dealRows } from '../../deals/demo/demo-deals.ts'
import { countRating } from '../../deals/server/deals.ts'
import type { Sql } from '../../kit/server/database.ts'
import { insertRows, readDemo, stableId, type DemoSetting } from '../../kit/server/demo-rows.ts'
import { rateDeal, replyToRating } from '../contract.ts'

/** Comments by category of deal, each used once, and names of authors. */
const demoRatings = z.strictObject({
  authors: z.array(z.string()),
  comments: z.array(rateDeal.body!.extend({ ...replyToRating.body!.shape, category: z.enum(categories) }).strict()),
})

/** Rates the deals of the demo, which must be inserted before. */
export async function fillDemoRatings(trx: Sql, setting: DemoSetting): Promise<void> {
  const rows = ratingRows(setting)
  await insertRows(trx, 'ratings', rows)
  for (const [dealId, ratings] of Map.groupBy(rows, ({ deal_id }) => deal_id)) {
    const stars = ratings.reduce((sum, rating) => sum + rating.stars, 0)
    await countRating(trx, dealId, { stars, ratings: ratings.length })
  }
}

/**
 * A few deals have many ratings, most have some, every fifth has none. Each comment is used once; further ratings have none.
 */
function ratingRows(setting: DemoSetting) {
  const { authors, comments } = readDemo('ratings', demoRatings)
  const left = Map.groupBy(comments, ({ category }) => category)
  const deals = dealRows(setting).filter(({ state }) => state === 'published')
  return deals.flatMap((deal, index) =>
    Array.from({ length: countOf(index) }, (_, number) => {
      const comment = number < 2 ? left.get(deal.category)?.shift() : undefined
      const seed = index * 7 + number * 13
      const age = setting.now.since(Temporal.Instant.from(deal.created_at)).total('minutes')
      const at = setting.now.subtract({ minutes: Math.round(Math.max(5, age * (0.08 + ((seed * 0.618) % 1) * 0.85))) })
      return {
        rating_id: stableId(`rating ${deal.deal_id} ${number}`),
        deal_id: deal.deal_id,
        business_id: deal.business_id,
        account_id: null,
        author_name: authors[(index * 5 + number) % authors.length]!,
        stars: comment?.stars ?? usualStars[seed % usualStars.length]!,
        comment: comment?.comment ?? null,
        verified: deal.redemption_mode === 'code' && seed % 4 !== 0,
        reply: comment?.reply ?? null,
        replied_at: comment?.reply ? at.add({ minutes: 4 }).toString() : null,
        created_at: at.toString(),
        updated_at: at.toString(),
      }
    }),
  )
}

const countOf = (index: number) => (index % 5 === 4 ? 0 : [3, 7, 1, 12, 2, 5, 4, 18, 1, 6, 2][index % 11]!)
/** Their mean is 4.3. */
const usualStars = [5, 4, 5, 5, 3, 4, 5, 4, 5, 2, 5, 4, 5, 4, 4]
