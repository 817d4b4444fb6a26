import { setTimeout as sleep } from 'node:timers/promises'

const patienceMs = 60_000

/** Looks ten times a second; throws after a minute. */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + patienceMs; !(await isTrue()); await sleep(100))
    if (performance.now() > end) throw new Error(`Waited in vain for: ${what}.`)
}
