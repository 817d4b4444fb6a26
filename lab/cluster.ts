import { setTimeout as sleep } from 'node:timers/promises'
import { faults, type Fault } from './cluster/faults.ts'
import { findClusterPrograms, type PoolMode } from './cluster/programs.ts'
import { restoreSingle } from './cluster/restored.ts'
import { startCluster, type Cluster } from './cluster/site.ts'
import { measureStreamsThroughFailover } from './cluster/streams.ts'
import { until } from './cluster/until.ts'
import { watchPrimary, type Watch } from './cluster/watch.ts'
import { startLoad, type LoadRequest } from '../test/load.ts'
import { residentMb } from './load.ts'

/** What visitors notice of a fault. */
export interface Episode {
  fault: string
  acknowledged: number
  lost: number
  /** Answers 500. */
  fiveHundreds: number
  /** Answers 502 and 504 of the proxy, and connections that were cut. */
  strange: number
  /** Answers 503 without Retry-After. */
  bare: number
  reads: number
  failedReads: number
  /** The longest time without a successful read, s. */
  readGapS: number
  slowestReadS: number
  writes: number
  failedWrites: number
  /** Writes that failed although a server had taken writes for at least 2 s. */
  failedWithPrimary: number
  /** Time in which no server took writes, s. */
  noPrimaryS: number
  /** From the end of that time to the last failed write, s. */
  recoveredS: number
  /** Restarts of instances that ended by themselves. */
  restarts: number
  memoryMb: [number, number]
  mailsMissing: number
  /** Mails that came twice with different Message-IDs. */
  mailsDoubled: number
  /** The slowest mail, from its promise or from the return of a primary, whichever was later, s. */
  latestMailS: number
}

/** How long mails are waited for: more than the minute that is allowed. */
const mailsWithinMs = 90_000

/**
 * R20, R24 and R25: faults of a cluster under load. Two instances, HAProxy, PgBouncer and three PostgreSQL with Patroni and etcd run from
 * the files of deploy/, as on an operator's machines. Then `streams`: `open` streams while a primary dies; and `restore`: a single server
 * restored to a moment. `names`: only these faults or parts.
 * @returns false where programs are missing
 */
export async function measureCluster(
  names: string[] | null,
  { times, open, poolMode }: { times: number; open: number; poolMode: PoolMode },
): Promise<boolean> {
  const programs = findClusterPrograms(poolMode)
  if (Array.isArray(programs)) {
    console.log(`Nothing was measured:\n${programs.map((each) => `- ${each}`).join('\n')}`)
    return false
  }
  const chosen = faults.filter(({ name }) => names === null || names.includes(name))
  const began = performance.now()
  const cluster = await startCluster(programs, poolMode)
  const end = async () => {
    await cluster.stop()
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())
  try {
    console.log(
      `A cluster is up after ${((performance.now() - began) / 1000).toFixed(0)} s: Patroni ${programs.patroniVersion}, ${programs.postgresBin}, PgBouncer ${programs.pgbouncerVersion} in ${poolMode} mode.`,
    )
    await warmUp(cluster)
    console.log(`\n${head}`)
    for (const fault of chosen) for (let n = 0; n < times; n++) console.log(lineOf(await runEpisode(cluster, fault)))
    if (names === null || names.includes('streams')) {
      await cluster.becomesWhole()
      const it = await measureStreamsThroughFailover(cluster, open)
      console.log(
        `\n${it.streams} open streams while the primary's machine was killed: ${it.acknowledged} acknowledged messages, ${it.missing} missing and ${it.doubled} doubled over all streams; ` +
          `${it.unsure} messages got no answer; ${it.cut} streams ended and came back; instances ${memoryOf(cluster).toFixed(0)} MB.`,
      )
    }
    if (names === null || names.includes('restore')) {
      await cluster.becomesWhole()
      const it = await restoreSingle(cluster)
      console.log(
        `\nA single server restored to a moment: full backup by ${it.backedUpBy.join(', ')} in ${it.fullBackupS.toFixed(1)} s, of changes by ${it.changesBackedUpBy.join(', ')}; restored in ${it.restoredS.toFixed(1)} s, app ready after ${it.appReadyS.toFixed(1)} s; ` +
          `of ${it.acknowledged} messages before the moment ${it.lost} lost, of ${it.later} after it ${it.laterThere} there; first write in ${it.firstWriteS.toFixed(1)} s.`,
      )
    }
  } finally {
    await cluster.stop()
  }
  return true
}

async function warmUp({ apps }: Cluster) {
  for (const { instance } of apps)
    for (const path of ['/', '/deals', '/api/deals/search?limit=20&q=coffee'])
      for (let n = 0; n < 5; n++) await (await fetch(instance + path)).arrayBuffer()
}

async function runEpisode(cluster: Cluster, fault: Fault): Promise<Episode> {
  await cluster.becomesWhole()
  const restartsBefore = restartsOf(cluster)
  const watch = await watchPrimary(cluster)
  const load = await startLoad(cluster.apps.map(({ base }) => base))
  await sleep(3000)
  const memoryBefore = memoryOf(cluster)
  await fault.run(cluster)
  await until('writes', async () => watch.takesWrites())
  await cluster.becomesWhole()
  await sleep(3000)
  const memoryAfter = memoryOf(cluster)
  const asked = await load.stop()
  await until('writes at the end', async () => watch.takesWrites())
  await watch.stop()
  const killedByUs = fault.name === 'instance-killed' ? 1 : 0
  return {
    fault: fault.what,
    ...(await lossesOf(cluster, asked)),
    ...noticedOf(asked, watch),
    restarts: restartsOf(cluster) - restartsBefore - killedByUs,
    memoryMb: [memoryBefore, memoryAfter],
    ...(await mailsOf(cluster, asked, watch)),
  }
}

function noticedOf(asked: LoadRequest[], watch: Watch) {
  const reads = asked.filter(({ isWrite }) => !isWrite)
  const writes = asked.filter(({ isWrite }) => isWrite)
  const failed = (each: LoadRequest) => each.status < 200 || each.status >= 400
  const failedWrites = writes.filter(failed)
  const goodReads = reads.filter((each) => !failed(each)).map(({ endedAt }) => endedAt)
  const moments = [
    reads[0]!.beganAt,
    ...goodReads.toSorted((a, b) => a - b),
    Math.max(...reads.map(({ endedAt }) => endedAt)),
  ]
  const gaps = watch.gaps()
  const backAt = gaps.at(-1)?.to ?? null
  const withPrimary = failedWrites.filter(
    ({ beganAt, endedAt }) => !gaps.some(({ from, to }) => beganAt < to + 2000 && endedAt > from - 1000),
  )
  return {
    fiveHundreds: asked.filter(({ status }) => status === 500).length,
    strange: asked.filter(({ status }) => status === 0 || (status > 500 && status !== 503)).length,
    bare: asked.filter(({ status, hasRetryAfter }) => status === 503 && !hasRetryAfter).length,
    reads: reads.length,
    failedReads: reads.filter(failed).length,
    readGapS: Math.max(...moments.slice(1).map((at, n) => at - moments[n]!)) / 1000,
    slowestReadS: Math.max(...reads.map(({ beganAt, endedAt }) => endedAt - beganAt)) / 1000,
    writes: writes.length,
    failedWrites: failedWrites.length,
    failedWithPrimary: withPrimary.length,
    noPrimaryS: gaps.reduce((sum, { from, to }) => sum + to - from, 0) / 1000,
    recoveredS: backAt === null ? 0 : Math.max(0, ...failedWrites.map(({ beganAt }) => beganAt - backAt)) / 1000,
  }
}

/** Looks for acknowledged writes in the database. */
async function lossesOf(cluster: Cluster, asked: LoadRequest[]) {
  const proofs = asked.flatMap(({ proof }) => (proof === null ? [] : [proof]))
  const { address } = await cluster.primary()
  const there = new Set(
    (
      await cluster.sql<{ proof: string }>(
        address,
        `select ticket as proof from contact_messages where ticket = any($1) union all
         select email_folded from accounts where email_folded = any($1) union all
         select email_folded from newsletter_subscribers where email_folded = any($1) union all
         -- until its mail is sent, a newsletter subscription is stored only as that mail
         select email from outgoing_mails where email = any($1)`,
        [proofs],
      )
    ).map(({ proof }) => proof),
  )
  for (const { mailTo } of asked) if (mailTo !== null && cluster.mails.messages.has(mailTo)) there.add(mailTo)
  return { acknowledged: proofs.length, lost: proofs.filter((proof) => !there.has(proof)).length }
}

async function mailsOf(cluster: Cluster, asked: LoadRequest[], watch: Watch) {
  const promised = asked.flatMap(({ mailTo, endedAt }) => (mailTo === null ? [] : [{ mailTo, endedAt }]))
  const missing = () => promised.filter(({ mailTo }) => !cluster.mails.messages.has(mailTo)).length
  for (const end = performance.now() + mailsWithinMs; missing() > 0 && performance.now() < end;) await sleep(250)
  const backAt = watch.gaps().at(-1)?.to ?? 0
  const lateMs = promised.map(({ mailTo, endedAt }) => {
    const [first] = cluster.mails.messages.get(mailTo) ?? []
    return first ? first.at - Math.max(endedAt, backAt) : 0
  })
  return {
    mailsMissing: missing(),
    mailsDoubled: promised.filter(
      ({ mailTo }) => new Set((cluster.mails.messages.get(mailTo) ?? []).map(({ messageId }) => messageId)).size > 1,
    ).length,
    latestMailS: Math.max(0, ...lateMs) / 1000,
  }
}

const restartsOf = ({ apps }: Cluster) => apps.reduce((sum, { app }) => sum + app.restarts, 0)
const memoryOf = ({ apps }: Cluster) => Math.max(...apps.map(({ app }) => residentMb(app.pid)))

const head = `| fault | acknowledged, lost | 500s; cut, 502, 504; 503 without Retry-After | failed reads | longest gap of reads; slowest read | failed writes; 2 s after a primary is there | without a primary; recovered after | restarts | memory | mails missing, doubled; latest |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|`

function lineOf(it: Episode): string {
  const s = (value: number) => `${value.toFixed(1)} s`
  const [before, after] = it.memoryMb
  return `| ${[
    it.fault,
    `${it.acknowledged}, ${it.lost}`,
    `${it.fiveHundreds}; ${it.strange}; ${it.bare}`,
    `${it.failedReads} of ${it.reads}`,
    `${s(it.readGapS)}; ${s(it.slowestReadS)}`,
    `${it.failedWrites} of ${it.writes}; ${it.failedWithPrimary}`,
    `${s(it.noPrimaryS)}; ${s(it.recoveredS)}`,
    it.restarts,
    `${before.toFixed(0)} → ${after.toFixed(0)} MB`,
    `${it.mailsMissing}, ${it.mailsDoubled}; ${s(it.latestMailS)}`,
  ].join(' | ')} |`
}
