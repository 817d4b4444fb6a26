/** Waits for a work that goes on by itself, but for so long only. */
export async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, ms)
  await Promise.race([work, patience.promise])
  clearTimeout(timer)
}
