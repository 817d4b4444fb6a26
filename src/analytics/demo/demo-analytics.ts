import { dealRows } from '../../deals/demo/demo-deals.ts'
import type { Sql } from '../../kit/server/database.ts'
import { insertRows, type DemoSetting } from '../../kit/server/demo-rows.ts'
import { busyHours, chance, demoClaims, otherHours, pastDays } from '../../redemptions/demo/demo-redemptions.ts'
import { addViewHours } from '../../views/server/views.ts'

/** Impressions, opens and saves of the last 30 days, beside the claims and redemptions of the demo. */
export async function fillDemoAnalytics(trx: Sql, festival: DemoSetting): Promise<void> {
  const rows = new Map<string, ReturnType<typeof emptyRow>>()
  const rowAt = (dealId: string, at: Temporal.Instant) => {
    const hour = hourOf(at)
    const row = rows.get(`${dealId} ${hour}`) ?? emptyRow(dealId, hour)
    rows.set(`${dealId} ${hour}`, row)
    return row
  }
  for (const { dealId, claimedAt, redeemedAt, amountRappen } of demoClaims(festival)) {
    rowAt(dealId, claimedAt).claims += 1
    if (!redeemedAt) continue
    const row = rowAt(dealId, redeemedAt)
    row.redemptions += 1
    row.sales_rappen += amountRappen
  }
  const views: Parameters<typeof addViewHours>[1] = []
  for (const { dealId, at, opens } of opensByHour(festival)) {
    const row = rowAt(dealId, at)
    views.push({
      kind: 'deal',
      subject_id: dealId,
      hour: row.hour,
      views: opens + row.claims,
      visitors: Math.max(1, Math.round((opens + row.claims) * 0.7)),
    })
    row.impressions += (opens + row.claims) * 9 + Math.floor(chance(opens, row.claims + 2) * 7)
    row.saves += opens > 2 && chance(opens, at.epochMilliseconds / 3_600_000) < 0.4 ? 1 : 0
  }
  // whoever claimed a code has seen and opened the deal
  const seen = new Set(views.map(({ subject_id, hour }) => `${subject_id} ${hour}`))
  for (const [key, row] of rows) {
    if (seen.has(key)) continue
    const opens = row.claims + row.redemptions
    row.impressions += opens * 9
    views.push({ kind: 'deal', subject_id: row.deal_id, hour: row.hour, views: opens, visitors: opens })
  }
  await insertRows(trx, 'analytics_hours', [...rows.values()])
  await addViewHours(trx, [...views, ...profileViews(festival, views)])
}

type ViewHour = Parameters<typeof addViewHours>[1][number]

/** Views of merchants: by some who opened one of their deals, and by others from lists and the map. */
function profileViews(festival: DemoSetting, dealViews: readonly ViewHour[]): ViewHour[] {
  const merchantOf = new Map(dealRows(festival).map(({ deal_id, business_id }) => [deal_id, business_id]))
  const rows = new Map<string, ViewHour>()
  const add = (subject_id: string, hour: string, views: number) => {
    if (views === 0) return
    const key = `${subject_id} ${hour}`
    const row = rows.get(key) ?? { kind: 'business', subject_id, hour, views: 0, visitors: 0 }
    row.views += views
    row.visitors = Math.max(1, Math.round(row.views * 0.8))
    rows.set(key, row)
  }
  for (const [index, { subject_id, hour, views }] of dealViews.entries())
    add(merchantOf.get(subject_id)!, hour, Math.floor(views * chance(index, views) * 0.7))
  for (const [index, merchant] of [...new Set(merchantOf.values())].entries())
    for (const [ago, day] of pastDays(festival.now, festival.zone).entries())
      for (const hour of otherHours) {
        const at = day.toZonedDateTime({ timeZone: festival.zone }).add({ hours: hour }).toInstant()
        const isPast = at.epochMilliseconds <= festival.now.epochMilliseconds
        if (isPast) add(merchant, hourOf(at), Math.floor(chance(index + hour, ago) * 1.2 * (1 - ago / 50)))
      }
  return [...rows.values()]
}

/** Opens of each deal in the busy hours of its kind. */
function* opensByHour(festival: DemoSetting) {
  const { now, zone } = festival
  for (const [index, deal] of dealRows(festival).entries()) {
    if (deal.state === 'draft') continue
    const hours = new Set(busyHours[deal.category] ?? otherHours)
    const popular = 1.5 + chance(index, 3) * 7
    for (const [ago, day] of pastDays(now, zone).entries())
      for (const hour of hours) {
        const at = day.toZonedDateTime({ timeZone: zone }).add({ hours: hour }).toInstant()
        const isThere = at.toString() > deal.created_at && (deal.ends_at === null || at.toString() < deal.ends_at)
        if (!isThere || at.epochMilliseconds > now.epochMilliseconds) continue
        const busy = day.dayOfWeek >= 5 ? 1.7 : 1
        const opens = Math.floor(chance(index + hour, ago) * popular * busy * (1 - ago / 50))
        if (opens > 0) yield { dealId: deal.deal_id, at, opens }
      }
  }
}

const hourOf = (at: Temporal.Instant) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(at.epochMilliseconds / 3_600_000) * 3_600_000).toString()

const emptyRow = (deal_id: string, hour: string) => ({
  deal_id,
  hour,
  impressions: 0,
  saves: 0,
  claims: 0,
  redemptions: 0,
  sales_rappen: 0,
})
