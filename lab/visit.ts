import { Agent, request } from 'node:http'

export interface Visits {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** By status; 0: no answer. */
  statuses: Map<number, number>
}

/**
 * Requests each path once, in this order, over `connections` connections to loopback. Unlike a load of some seconds, every version of the
 * server gets the same requests.
 */
export async function visit(
  base: string,
  paths: string[],
  { connections, headers = {} }: { connections: number; headers?: Record<string, string> },
): Promise<Visits> {
  const { hostname, port } = new URL(base)
  if (hostname !== '127.0.0.1') throw new Error('The load goes to 127.0.0.1 only.')
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const statuses = new Map<number, number>()
  const left = paths.values()
  const began = performance.now()
  const visitor = async () => {
    for (const path of left) {
      const askedAt = performance.now()
      const status = await new Promise<number>((resolve) => {
        const asked = request({ agent, hostname, port, path, headers }, (answer) => {
          answer.resume()
          answer.on('end', () => resolve(answer.statusCode ?? 0))
          answer.on('error', () => resolve(0))
        })
        asked.on('error', () => resolve(0))
        asked.end()
      })
      times.push(performance.now() - askedAt)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: connections }, visitor))
  const seconds = (performance.now() - began) / 1000
  agent.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
  return { requestsPerSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), statuses }
}
