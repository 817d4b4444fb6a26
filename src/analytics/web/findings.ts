import type { Analytics, Figures } from '../contract.ts'

/** The steps from a list to the till, in their order. */
export const steps = ['impressions', 'opens', 'saves', 'claims', 'redemptions'] as const
export type Step = (typeof steps)[number]

/** Change since the period before, in percent; null where that period had none. */
export function percentChange(now: number, before: number | null | undefined): number | null {
  if (!before) return null
  return Math.round(((now - before) / before) * 100)
}

/** Share in percent, with one decimal below ten; null where `whole` is 0. */
export function shareOf(part: number, whole: number): number | null {
  if (whole === 0) return null
  const share = (part / whole) * 100
  return share < 10 ? Math.round(share * 10) / 10 : Math.round(share)
}

/** The first of the highest bars; null where all are 0. */
export function highest<Bar extends { value: number }>(bars: readonly Bar[]): Bar | null {
  return bars.reduce<Bar | null>((top, bar) => (bar.value > (top?.value ?? 0) ? bar : top), null)
}

/** The last step with a count above 0; null: all are 0. */
export function furthestStep(total: Figures): Step | null {
  return steps.findLast((step) => total[step] > 0) ?? null
}

/** Mean rating at the beginning and the end, and the number of new ratings; null where nobody has rated. */
export function ratingTrend(days: Analytics['ratings']) {
  // rounded as shown: a change of the second decimal is not visible
  const means = days.flatMap(({ mean }) => (mean === null ? [] : [Math.round(mean * 10) / 10]))
  const [first, last] = [means[0], means.at(-1)]
  if (first === undefined || last === undefined) return null
  return { first, last, came: days.reduce((sum, { count }) => sum + count, 0) }
}

/**
 * Round numbers for the lines of a chart, from 0 to at least `most`: at most four steps of 1, 2 or 5 times a power of ten. Never
 * fractions, because counts are whole.
 */
export function ticksUpTo(most: number): number[] {
  const wanted = Math.max(1, most) / 4
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = Math.max(1, [1, 2, 5, 10].find((times) => times * power >= wanted)! * power)
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, index) => index * step)
}
