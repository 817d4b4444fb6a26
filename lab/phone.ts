import type { BrowserContext, CDPSession } from 'playwright-core'
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js'

/** A phone's BenchmarkIndex, Lighthouse's measure of a CPU: its usual CPU ÷ 4 is meant for a machine with 1,500. */
const phoneIndex = 375
const mostSlowdown = 4

/**
 * How many times slower than this machine a phone is, at most 4. A quarter of a slow or busy machine would be slower than any real phone.
 * It is measured each time, because the speed of a shared machine varies.
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
