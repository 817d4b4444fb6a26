import { measureContainer } from '../container.ts'
import { measureFewConnections } from '../few-connections.ts'
import { measureFailovers, measureStall } from '../outages.ts'
import { measureRedis, redisServer } from '../redis.ts'
import { measureRolling } from '../rolling.ts'
import { measureHangingBucket, measureJobsInHand, measureWaitingStart } from '../waits.ts'
import { plain, type Row } from './row.ts'

export async function outageRows(script: string, quick: boolean): Promise<Row[]> {
  const stall = await measureStall(script, quick ? 15 : 60)
  const { acknowledged, lost, fiveHundreds, differentLists, episodes } = await measureFailovers(script, quick ? 2 : 10)
  const odd = Object.keys(stall.statuses).filter((status) => !['201', '202', '503'].includes(status))
  const s = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const of = 'commits wait, 20 writes and 20 reads a second, two instances'
  return [
    plain(`R3 ${of}: failed reads`, `${stall.failedReads} of ${stall.reads}`, '0', stall.failedReads === 0),
    plain(
      `R3 ${of}: slowest write; answers but 201, 202, 503`,
      `${s(stall.slowestWriteMs)}; ${odd.length}`,
      '≤ 5 s; 0',
      stall.slowestWriteMs <= 5000 && odd.length === 0,
    ),
    plain(`R3 ${of}: connections taken`, `${stall.mostConnections}`, '≤ 30', stall.mostConnections <= 30),
    plain(`R3 ${of}: well again after`, s(stall.wellAfterMs), '≤ 2 s', stall.wellAfterMs <= 2000),
    plain(
      `R2 a primary killed ${episodes} times: acknowledged writes lost, 500s, lists that differ from the database`,
      `${lost} of ${acknowledged}, ${fiveHundreds}, ${differentLists}`,
      '0, 0, 0',
      lost + fiveHundreds + differentLists === 0,
    ),
    ...(await waitRows()),
  ]
}

/** What else waits: for a bucket, for a start, for a job in the hands of an instance that is gone. */
async function waitRows(): Promise<Row[]> {
  const s = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const bucket = await measureHangingBucket()
  const saidAfterMs = await measureWaitingStart()
  const rows = [
    plain(
      'R3 a bucket hangs: pictures and signups with a logo answered 503 with Retry-After; slowest',
      `${bucket.asWished} of ${bucket.asked}; ${s(bucket.slowestMs)}`,
      'all; ≤ 5 s',
      bucket.asWished === bucket.asked && bucket.slowestMs <= 5000,
    ),
    // looked for it every 20 ms, on a machine that does much else
    plain('R3 a start whose commit waits says so after', s(saidAfterMs), '3 s', saidAfterMs <= 3500),
  ]
  for (const fault of ['SIGKILL', 'SIGSTOP'] as const) {
    const { mails, afterMs, strange } = await measureJobsInHand(fault)
    rows.push(
      plain(
        `R11 an instance ${fault === 'SIGKILL' ? 'is killed' : 'hangs'} with ${mails} mails in hand: sent by another one after; with another Message-ID`,
        `${s(afterMs)}; ${strange}`,
        '≤ 60 s; 0',
        afterMs <= 60_000 && strange === 0,
      ),
    )
  }
  return rows
}

/** What visitors see while the database has no connection for the site, or is away. */
export async function fewConnectionsRows(): Promise<Row[]> {
  const rows: Row[] = []
  for (const { what, database, asked, asWished, slowestMs } of await measureFewConnections()) {
    const when = database === 'full' ? 'the database has no connection left' : 'the database is away'
    rows.push(
      plain(
        `R3 ${when}: ${what === 'kept' ? '20 pages of the last minute, answered' : 'all else, 503 with Retry-After'}; slowest`,
        `${asWished} of ${asked}; ${(slowestMs / 1000).toFixed(2)} s`,
        'all; ≤ 2 s',
        asWished === asked && slowestMs <= 2000,
      ),
    )
  }
  return rows
}

export async function rollingRows(before: string): Promise<Row[]> {
  const found = await measureRolling(before === 'this' ? null : before)
  const { from, newMigrations, reads, writes, failed, slowestMs, asked, broken } = found
  const odd = Object.entries(failed).map(([status, count]) => `${count} × ${status}`)
  for (const each of broken) console.log(`  ${each}`)
  return [
    plain(
      `R20 two instances of ${from.slice(0, 12)} replaced one after the other, ${newMigrations} new migrations: failed of ${reads} reads and ${writes} writes; slowest`,
      `${odd.join(', ') || '0'}; ${(slowestMs / 1000).toFixed(1)} s`,
      '0',
      odd.length === 0,
    ),
    plain(
      `R18 the old code on the new schema: of ${asked} requests of guests, visitors and merchants those with 5xx or that failed`,
      `${broken.length}`,
      '0',
      broken.length === 0,
    ),
  ]
}

/** null: nothing was measured. */
export async function redisRows(listeners: number): Promise<Row[] | null> {
  const program = redisServer()
  if (!program) {
    console.log('redis-server is missing (Debian: apt-get install redis-server), so nothing was measured.')
    return null
  }
  const { told, lost, doubled, disordered, cameBack, askedAnew, delayMs } = await measureRedis(program, listeners)
  const of = `${listeners} streams at two instances with Redis`
  const delays = Object.entries(delayMs)
    .map(([phase, { median, longest }]) => `${phase} ${median.toFixed(0)} / ${longest.toFixed(0)} ms`)
    .join('; ')
  return [
    plain(
      `${of}, which restarts three times and hangs, an instance killed, the primary replaced: of ${told.toLocaleString('en')} messages to each lost, doubled, out of order`,
      `${lost}, ${doubled}, ${disordered} (${cameBack} streams broke and came back, ${askedAnew} asked anew)`,
      '0, 0, 0',
      lost + doubled + disordered === 0,
    ),
    { ...plain(`${of}: from the commit to the listener, median / longest`, delays, '', true), met: null },
  ]
}

/** null: nothing was measured. */
export async function containerRows(): Promise<Row[] | null> {
  const found = await measureContainer()
  if (Array.isArray(found)) {
    console.log(`Nothing was measured; missing: ${found.join(', ')} (Debian: apt-get install buildah debootstrap).`)
    return null
  }
  const { builtS, sizeMb, uid, readyS, statuses, health, stoppedS, ended } = found
  const odd = Object.entries(statuses).filter(([, status]) => status !== 200)
  return [
    plain(
      `deploy/Containerfile, built by buildah in ${builtS.toFixed(0)} s (${sizeMb} MB): who runs it; pages that are not 200; its health check`,
      `${uid}; ${odd.map(([path, status]) => `${path} ${status}`).join(', ') || 'none'}; ${health ?? 'it has none'}`,
      '10001; none; 0',
      uid === 10001 && odd.length === 0 && health === 0,
    ),
    plain(
      'deploy/Containerfile: ready with its demo after; stopped by SIGTERM in, ended with',
      `${readyS.toFixed(1)} s; ${stoppedS.toFixed(1)} s, ${ended}`,
      '0',
      ended === 0,
    ),
  ]
}
