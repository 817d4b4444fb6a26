import type { Analytics, Figures } from '../contract.ts'

/** The steps from a list to the till, in their order. */
export const steps = ['impressions', 'opens', 'saves', 'claims', 'redemptions'] as const
export type Step = (typeof steps)[number]

/** Change against the time before in percent; null where there was nothing to compare with. */
export function changeOf(now: number, before: number | null | undefined): number | null {
  if (!before) return null
  return Math.round(((now - before) / before) * 100)
}

/** Share in percent, with one decimal below ten; null of nothing. */
export function shareOf(part: number, whole: number): number | null {
  if (whole === 0) return null
  const share = (part / whole) * 100
  return share < 10 ? Math.round(share * 10) / 10 : Math.round(share)
}

/** The bar that towers over the others; null where all are empty. */
export function highest<Bar extends { value: number }>(bars: readonly Bar[]): Bar | null {
  const most = bars.reduce<Bar | null>((top, bar) => (bar.value > (top?.value ?? 0) ? bar : top), null)
  return most
}

/** The step that a merchant looks at first: the last one in which anything happened. */
export function furthestStep(total: Figures): Step | null {
  return steps.findLast((step) => total[step] > 0) ?? null
}

/** Rating at the beginning and the end of the time, and how many came in it; null where nobody has rated. */
export function ratingTrend(days: Analytics['ratings']) {
  // as they are said: nobody sees the second decimal, so it is no change
  const means = days.flatMap(({ mean }) => (mean === null ? [] : [Math.round(mean * 10) / 10]))
  const [first, last] = [means[0], means.at(-1)]
  if (first === undefined || last === undefined) return null
  return { first, last, came: days.reduce((sum, { count }) => sum + count, 0) }
}

/**
 * Round numbers for the lines of a chart, from 0 to at least `most`: steps of 1, 2 or 5 times a power of ten, at most
 * four of them, and never halves, because what is counted is whole.
 */
export function ticksUpTo(most: number): number[] {
  const wanted = Math.max(1, most) / 4
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = Math.max(1, [1, 2, 5, 10].find((times) => times * power >= wanted)! * power)
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, index) => index * step)
}
