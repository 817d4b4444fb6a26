import type { BrowserContext, CDPSession } from 'playwright-core'
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js'

/** Lighthouse's measure of a machine (BenchmarkIndex): CPU ÷ 4 is meant for one of 1,500, so this is the phone. */
const phoneIndex = 375
const mostSlowdown = 4

/**
 * How often slower than this machine a phone is, 4 at most: a fourth of a slow or busy machine would be a phone that nobody
 * has. Measured anew each time: a shared machine is not as fast at one moment as at the next.
 */
export async function phoneSlowdown(context: BrowserContext): Promise<number> {
  const page = await context.newPage()
  const index = await page.evaluate<number>(`(${String(pageFunctions.computeBenchmarkIndex)})()`)
  await page.close()
  return Math.min(mostSlowdown, Math.max(1, index / phoneIndex))
}

export async function slowDown(context: BrowserContext, devtools: CDPSession): Promise<void> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: await phoneSlowdown(context) })
}
