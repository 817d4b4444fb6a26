import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../test/built-server.ts'
import type { Statement } from '../test/recorded-sql.ts'
import { temporaryFolder } from './folder.ts'
import { load, type Figure } from './load.ts'

const turns = 3

export interface BareWork {
  /** See bare-server.ts. */
  kind: 'pg' | 'fastify' | 'fixed' | 'react'
  /** Statements of one shape. */
  statements?: Statement[]
  body?: string
}

export interface On {
  url: string
  postmaster: number | null
  /** Duration of each load. */
  seconds: number
}

/** Starts a bare server for this work. */
export async function startBareServer(url: string, { kind, statements, body = 'x'.repeat(6200) }: BareWork) {
  using folder = temporaryFolder()
  const file = join(folder.path, 'work.json')
  const parameters = statements?.map((each) => each.parameters) ?? []
  writeFileSync(file, JSON.stringify({ kind, sql: statements?.[0]?.sql ?? '', parameters, body }))
  // production: React is slower in development
  const env = { DATABASE_URL: url, WORK: file, NODE_ENV: 'production' }
  return await startServer('lab/bare-server.ts', env, { probe: '/' })
}

/** Measures the product and a bare server in turn, so that other work of the machine falls on both. Returns the pair with the median ratio. */
export async function besideBare(
  on: On,
  work: BareWork,
  ours: () => Promise<Figure>,
  by: 'requestsPerSecond' | 'cpuMs' = 'requestsPerSecond',
): Promise<[Figure, Figure]> {
  await using server = await startBareServer(on.url, work)
  const pairs: [Figure, Figure][] = []
  const bare = () => load(server.base, ['/'], { seconds: on.seconds, pids: pidsOf(server, on) })
  for (let turn = 0; turn < turns; turn++) pairs.push([await ours(), await bare()])
  return medianPair(pairs, by)
}

export const pidsOf = ({ pid }: { pid: number }, { postmaster }: { postmaster: number | null }) =>
  postmaster === null ? [pid] : [pid, postmaster]

export function medianPair(pairs: [Figure, Figure][], by: 'requestsPerSecond' | 'cpuMs'): [Figure, Figure] {
  const ratio = ([ours, bare]: [Figure, Figure]) => ours[by] / bare[by]
  return pairs.toSorted((a, b) => ratio(a) - ratio(b))[pairs.length >> 1]!
}
