/** Waits for `work`, but at most `ms`. The work itself goes on. */
export async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, ms)
  await Promise.race([work, timeout.promise])
  clearTimeout(timer)
}
