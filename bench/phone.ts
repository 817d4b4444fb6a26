import type { BrowserContext, CDPSession } from 'playwright-core'
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js'

/** Lighthouse's measure of a machine (BenchmarkIndex): CPU ÷ 4 is meant for one of 1,500, so this is the phone. */
const phoneIndex = 375
const mostSlowdown = 4

let slowdown: Promise<number> | null = null

/**
 * How often slower than this machine a phone is, 4 at most: on a slow or busy machine a fourth of it would be a phone that nobody
 * has. Measured once, in a page of its own.
 */
export function phoneSlowdown(context: BrowserContext): Promise<number> {
  return (slowdown ??= phoneSlowdownNow(context).then((found) => {
    console.log(
      `This machine's BenchmarkIndex is ${Math.round(found * phoneIndex)} or more: a phone is CPU ÷ ${found.toFixed(1)}.`,
    )
    return found
  }))
}

/** The same, measured anew: a machine that others use too is not as fast at one moment as at the next. */
export async function phoneSlowdownNow(context: BrowserContext): Promise<number> {
  const page = await context.newPage()
  const index = await page.evaluate<number>(`(${String(pageFunctions.computeBenchmarkIndex)})()`)
  await page.close()
  return Math.min(mostSlowdown, Math.max(1, index / phoneIndex))
}

/** As slow as a phone … */
export async function slowDown(context: BrowserContext, devtools: CDPSession): Promise<void> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: await phoneSlowdown(context) })
}

/** … and on a slow network: 1.6 Mbit/s, 150 ms there and back. */
export async function onSlowNetwork(devtools: CDPSession): Promise<void> {
  const bytes = (1.6 * 1024 * 1024) / 8
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: bytes,
    uploadThroughput: bytes / 2,
  })
}
