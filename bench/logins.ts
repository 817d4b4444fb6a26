import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { RunningServer } from './servers.ts'

export interface Logins {
  /** From the first of 40 parallel logins to the answer of the last, ms; the median of the rounds. */
  fortyMs: number
  /** p99 of other requests meanwhile, ms. */
  othersP99Ms: number
  failed: number
}

const rounds = 5

/**
 * 40 people log in at once, five times, while somebody else reads a deal every 5 ms: hashing must leave a core to the others
 * (RELIABILITY S7).
 */
export async function parallelLogins(app: RunningServer, path: string): Promise<Logins> {
  const person = {
    email: `bench-${randomBytes(4).toString('hex')}@example.org`,
    password: randomBytes(12).toString('hex'),
  }
  const post = (to: string, body: object) =>
    fetch(`${app.base}${to}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await (await post('/api/auth/signup', { ...person, display_name: 'Bench', accepts_terms: true })).arrayBuffer()
  await (await post('/api/auth/login', person)).arrayBuffer()
  let failed = 0
  const others: number[] = []
  let isOver = false
  const reading = (async () => {
    const open: Promise<void>[] = []
    while (!isOver) {
      open.push(
        (async () => {
          const began = performance.now()
          const answer = await fetch(`${app.base}${path}`)
          await answer.arrayBuffer()
          others.push(performance.now() - began)
          if (!answer.ok) failed++
        })(),
      )
      await wait(5)
    }
    await Promise.all(open)
  })()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: 40 }, () => post('/api/auth/login', person)))
    times.push(performance.now() - began)
    for (const answer of answers) {
      await answer.arrayBuffer()
      if (!answer.ok) failed++
    }
  }
  isOver = true
  await reading
  const sorted = others.toSorted((a, b) => a - b)
  return {
    fortyMs: times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!,
    othersP99Ms: sorted[Math.floor(sorted.length * 0.99)]!,
    failed,
  }
}
