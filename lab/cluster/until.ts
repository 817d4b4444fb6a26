import { setTimeout as sleep } from 'node:timers/promises'

const patienceMs = 60_000

/** Checks a condition ten times per second until it is true. @throws Error after a minute */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + patienceMs; !(await isTrue()); await sleep(100))
    if (performance.now() > end) throw new Error(`Waited in vain for: ${what}.`)
}
