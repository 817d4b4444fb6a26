import type { CrowdRow } from './crowd.ts'

/** On paper: what visitors at once need, from the CPU time of one festival evening's requests. */
export interface Size {
  visitors: number
  requestsPerSecond: number
  appCores: number
  instances: number
  databaseCores: number
  /** Of the primary, where all three servers are named as replicas. */
  connections: number
  viewsPerSecond: number
}

/** A visitor asks for something every ten seconds. */
const requestsPerVisitor = 0.1
/** An instance uses so much of a core at most, so that answers stay quick. */
const busyShare = 0.6
/** 4 to write, 6 to read, 6 as a replica, 1 to listen. */
const connectionsPerInstance = 17
/** The share of deal pages in the evening: each counts a view. */
const viewShare = 0.25

export function sizesOf({ appMs, databaseMs }: Pick<CrowdRow['ours'], 'appMs' | 'databaseMs'>): Size[] {
  return [5_000, 50_000, 500_000].map((visitors) => {
    const requestsPerSecond = visitors * requestsPerVisitor
    const appCores = (requestsPerSecond * appMs) / 1000
    const instances = Math.ceil(appCores / busyShare)
    return {
      visitors,
      requestsPerSecond,
      appCores,
      instances,
      databaseCores: (requestsPerSecond * databaseMs) / 1000,
      connections: instances * connectionsPerInstance,
      viewsPerSecond: requestsPerSecond * viewShare,
    }
  })
}

/** As docs/operations.md has it, "Sizes". */
export function sizesTable(evening: Pick<CrowdRow['ours'], 'appMs' | 'databaseMs'>): string {
  const n = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 2 })
  return [
    '| visitors at once | requests a second | app: cores, instances | database: cores | connections of the primary | views a second |',
    '|--:|--:|--:|--:|--:|--:|',
    ...sizesOf(evening).map(
      (size) =>
        `| ${n(size.visitors)} | ${n(size.requestsPerSecond)} | ${n(size.appCores)}, ${size.instances} | ${n(size.databaseCores)} | ${n(size.connections)} | ${n(size.viewsPerSecond)} |`,
    ),
  ].join('\n')
}
