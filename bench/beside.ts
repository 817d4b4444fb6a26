import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load, type Figure } from './load.ts'
import { startServer } from './servers.ts'

const turns = 3

export const requestRatio = (mine: Figure, bare: Figure) => mine.requestsPerSecond / bare.requestsPerSecond
export const cpuRatio = (mine: Figure, bare: Figure) => mine.cpuMs / bare.cpuMs

/** The pair with the median ratio. */
export function medianOf(pairs: [Figure, Figure][], ratioOf: (mine: Figure, theirs: Figure) => number) {
  return pairs.sort((a, b) => ratioOf(...a) - ratioOf(...b))[pairs.length >> 1]!
}

export interface BareWork {
  /** See ceiling-server.ts. */
  kind: 'pg' | 'fastify' | 'fixed' | 'react'
  /** Statements of one shape (`recordSql`). */
  recorded?: { sql: string; parameters: unknown[] }[]
  body?: string
}

/** Ours and a bare server doing the same work, by turns, so that what else the machine does falls on both. */
export async function byTurns(
  on: { databaseUrl: string; postmaster: number; seconds: number },
  { kind, recorded, body = JSON.stringify({ pad: 'x'.repeat(6200) }) }: BareWork,
  ours: () => Promise<Figure>,
  ratioOf = requestRatio,
): Promise<[Figure, Figure]> {
  const work = {
    kind,
    sql: recorded?.[0]?.sql ?? '',
    parameters: recorded?.map((each) => each.parameters) ?? [],
    body,
  }
  const file = join(tmpdir(), `rheinklang-ceiling-${process.pid}.json`)
  writeFileSync(file, JSON.stringify(work))
  // React renders its pages as fast as it does for visitors; our server says so itself
  const env = { DATABASE_URL: on.databaseUrl, WORK: file, NODE_ENV: 'production' }
  const server = await startServer('bench/ceiling-server.ts', env, { probe: '/' })
  try {
    const pairs: [Figure, Figure][] = []
    const asked = { seconds: on.seconds, pids: [server.pid, on.postmaster] }
    for (let turn = 0; turn < turns; turn++) pairs.push([await ours(), await load(server.base, ['/'], asked)])
    return medianOf(pairs, ratioOf)
  } finally {
    await server.stop()
    rmSync(file)
  }
}
