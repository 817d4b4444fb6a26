import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

export interface Visits {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  slowestMs: number
  /** By status; 0: no answer. */
  statuses: Map<number, number>
  /** Answers 503 without `Retry-After`. */
  withoutRetryAfter: number
}

/**
 * Asks each path once, in this order, over `connections` connections to loopback. Unlike a load for some seconds this asks
 * the same of every version of the server, and nothing twice. `until` ends it early.
 */
export async function visit(
  base: string,
  paths: Iterable<string>,
  options: { connections: number; headers?: Record<string, string>; until?: AbortSignal; pauseMs?: number },
): Promise<Visits> {
  const { hostname, port } = new URL(base)
  if (hostname !== '127.0.0.1') throw new Error('The load goes to 127.0.0.1 only.')
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections })
  const times: number[] = []
  const statuses = new Map<number, number>()
  let withoutRetryAfter = 0
  const next = paths[Symbol.iterator]()
  const began = performance.now()
  const visitor = async () => {
    for (let path = next.next(); !path.done && !options.until?.aborted; path = next.next()) {
      const asked = performance.now()
      const { status, retryAfter } = await ask({ agent, hostname, port, path: path.value, headers: options.headers })
      times.push(performance.now() - asked)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 503 && !retryAfter) withoutRetryAfter++
      if (options.pauseMs) await wait(options.pauseMs)
    }
  }
  await Promise.all(Array.from({ length: options.connections }, visitor))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
  return {
    requestsPerSecond: times.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    slowestMs: sorted.at(-1) ?? NaN,
    statuses,
    withoutRetryAfter,
  }
}

function ask({
  headers,
  ...to
}: {
  agent: Agent
  hostname: string
  port: string
  path: string
  headers?: Record<string, string> | undefined
}) {
  return new Promise<{ status: number; retryAfter: string | undefined }>((resolve) => {
    const asked = request({ ...to, headers: headers ?? {} }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }))
      answer.on('error', () => resolve({ status: 0, retryAfter: undefined }))
    })
    asked.on('error', () => resolve({ status: 0, retryAfter: undefined }))
    asked.end()
  })
}
