import { execFile } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const wrk = ['/usr/bin/wrk', '/usr/local/bin/wrk', '/opt/homebrew/bin/wrk'].find((path) => existsSync(path))

export interface Figure {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** CPU time of the server's process tree and of PostgreSQL, ms per request. */
  cpuMs: number
  failed: number
}

/** Requests the paths in turn over 32 connections for some seconds; on loopback only. */
export async function load(
  base: string,
  paths: string[],
  options: { seconds: number; pids: number[]; headers?: Record<string, string> },
): Promise<Figure> {
  if (!/^http:\/\/127\.0\.0\.1:\d+$/.test(base)) throw new Error('The load goes to 127.0.0.1 only.')
  const before = cpuMsOf(options.pids)
  const figure = wrk ? await byWrk(base, paths, options) : await byAutocannon(base, paths, options)
  const cpuMs = (cpuMsOf(options.pids) - before) / Math.max(1, figure.requests)
  return { ...figure, cpuMs }
}

async function byWrk(
  base: string,
  paths: string[],
  { seconds, headers = {} }: { seconds: number; headers?: Record<string, string> },
) {
  const script = join(tmpdir(), `rheinklang-lab-${process.pid}.lua`)
  writeFileSync(
    script,
    `local paths = {${paths.map((path) => JSON.stringify(path)).join(',')}}
local n = 0
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join('\n')}
request = function() n = n + 1; return wrk.format('GET', paths[(n % #paths) + 1]) end
done = function(summary, latency)
  io.write(string.format('RESULT %d %d %d %f %f\\n', summary.requests, summary.duration, summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`,
  )
  try {
    const { stdout } = await run(wrk!, ['-t1', '-c32', `-d${seconds}s`, '-s', script, base], {
      timeout: (seconds + 30) * 1000,
    })
    const [, requests, durationUs, failed, p50, p99] = /RESULT (\d+) (\d+) (\d+) ([\d.]+) ([\d.]+)/
      .exec(stdout)!
      .map(Number)
    return {
      requests: requests!,
      requestsPerSecond: requests! / (durationUs! / 1e6),
      failed: failed!,
      p50Ms: p50!,
      p99Ms: p99!,
    }
  } finally {
    unlinkSync(script)
  }
}

async function byAutocannon(
  base: string,
  paths: string[],
  { seconds, headers = {} }: { seconds: number; headers?: Record<string, string> },
) {
  const { default: autocannon } = await import('autocannon')
  const result = await autocannon({
    url: base,
    connections: 32,
    duration: seconds,
    headers,
    requests: paths.map((path) => ({ path })),
  })
  return {
    requests: result.requests.total,
    requestsPerSecond: result.requests.average,
    failed: result.errors + result.non2xx,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }
}

const ticksPerSecond = 100

/** CPU time (user and system) of processes and all of their descendants, ms; 0 without /proc. */
export function cpuMsOf(pids: number[]): number {
  if (!existsSync('/proc')) return 0
  const children = new Map<number, number[]>()
  const times = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const parent = Number(fields[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
      // fields 11–14: user and system time of the process, and of its children that have ended
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      times.set(Number(name), (ticks * 1000) / ticksPerSecond)
    } catch {
      // the process ended meanwhile
    }
  }
  const seen = new Set<number>()
  const sum = (pid: number): number => {
    if (seen.has(pid)) return 0
    seen.add(pid)
    return (times.get(pid) ?? 0) + (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0)
  }
  return pids.reduce((total, pid) => total + sum(pid), 0)
}

/** Resident memory of one process in MB. */
export function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) / 1024
}
