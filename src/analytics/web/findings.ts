import type { Analytics, Figures } from '../contract.ts'

/** The steps from a list to the till, in their order. */
export const steps = ['impressions', 'opens', 'saves', 'claims', 'redemptions'] as const
export type Step = (typeof steps)[number]

/** Change since the previous period, in percent; null if the previous period had 0 or is not known. */
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

/** Mean rating on the first and last day that has one, and the number of new ratings (`came`); null if there are no ratings. */
export function ratingTrend(days: Analytics['ratings']) {
  // compare the rounded means that the screen shows: a change in the second decimal is no change
  const means = days.flatMap(({ mean }) => (mean === null ? [] : [Math.round(mean * 10) / 10]))
  const [first, last] = [means[0], means.at(-1)]
  if (first === undefined || last === undefined) return null
  return { first, last, came: days.reduce((sum, { count }) => sum + count, 0) }
}

/**
 * Ticks of a chart's axis: from 0 to at least `most`, at most four steps of 1, 2 or 5 times a power of ten. Never fractions, because
 * counts are whole.
 */
export function ticksUpTo(most: number): number[] {
  const wanted = Math.max(1, most) / 4
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = Math.max(1, [1, 2, 5, 10].find((times) => times * power >= wanted)! * power)
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, index) => index * step)
}
