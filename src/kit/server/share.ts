/**
 * For maps of more rows than can be counted while somebody waits: rows carry `lot`, drawn at random, and each share has an
 * index of its own. A count in a share, times the share, is the count of all to within a few per cent where it matters.
 */
export const shares = [1, 8, 64, 512] as const
/** Samples 1 row in so many. */
export type Share = (typeof shares)[number]

/** Rows of `r` in the share; beginning with "and". */
export const inShare = (r: string, share: Share) => (share === 1 ? '' : `and ${r}.lot & ${share - 1} = 0`)

/** So many rows are looked at for a map at the most. */
export const mostLookedAt = 6000
/** Fewer rows say too little of all. */
const telling = 24

/**
 * The largest share of the rows asked for that has at most `mostLookedAt` of them.
 * @param countIn counts the rows of a share, no further than `cap`
 */
export async function shareToLookAt(countIn: (share: Share, cap: number) => Promise<number>): Promise<Share> {
  for (const share of [512, 64] as const) {
    const count = await countIn(share, mostLookedAt + 1)
    if (count >= telling) return shares.find((each) => (count * share) / each <= mostLookedAt) ?? 512
  }
  return 1
}

/** To two digits: what is not counted is not to look as if it were. */
export function rounded(count: number): number {
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1)
  return Math.round(count / digit) * digit
}
