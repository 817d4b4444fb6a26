import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './site.ts'
import { runAs, startUnit } from './units.ts'
import { until } from './until.ts'

/** A damaged cluster restored as one server, to a moment before the damage. */
export interface Restored {
  backedUpBy: string[]
  /** By the hourly timer, half of the acknowledged writes before and half after it. */
  changesBackedUpBy: string[]
  fullBackupS: number
  /** Until files and WAL are restored and the server takes writes. */
  restoredS: number
  /** From the start of the app with the restored server until it is ready. */
  appReadyS: number
  acknowledged: number
  /** Writes acknowledged before the moment that are missing. */
  lost: number
  /** Writes after the moment; none of them may be there. */
  later: number
  laterThere: number
  /** Duration of the first write, which waits for no standby, s. */
  firstWriteS: number
}

const acknowledged = 30
const later = 5

/** Follows "Restore" of docs/operations.md. Afterwards the cluster is stopped. */
export async function restoreSingle(cluster: Cluster): Promise<Restored> {
  const began = performance.now()
  const backedUpBy = await cluster.backUp('full')
  const fullBackupS = secondsSince(began)
  const [app, other] = cluster.apps as [Cluster['apps'][number], Cluster['apps'][number]]
  const early = await contacts(app.base, acknowledged / 2)
  const changesBackedUpBy = await cluster.backUp('incr')
  const before = [...early, ...(await contacts(app.base, acknowledged / 2))]
  const primary = await cluster.primary()
  const [row] = await cluster.sql<{ moment: string }>(primary.address, 'select clock_timestamp()::text as moment')
  await sleep(1200)
  const after = await contacts(other.base, later)
  // the damage
  await cluster.sql(primary.address, 'drop table contact_messages cascade')
  await cluster.sql(primary.address, 'select pg_switch_wal()')

  // 1. stop all instances and the cluster, restore on one machine
  for (const each of cluster.apps) await each.app.stop()
  for (const { patroni, pgbouncer } of cluster.databases) await Promise.all([patroni.stop(), pgbouncer.stop()])
  const [machine] = cluster.databases as [Cluster['databases'][number]]
  const restoring = performance.now()
  await runAs(cluster.databaseUser, [join(machine.root, 'etc/rheinklang/restore-single.sh'), row!.moment])
  const server = startUnit(machine.root, 'rheinklang-restored.service')
  try {
    const sql = <Row>(text: string, values: unknown[] = []) => cluster.sql<Row>(machine.address, text, values)
    await until('the restored server', async () =>
      sql<{ standby: boolean }>('select pg_is_in_recovery() as standby').then(
        ([first]) => !first!.standby,
        () => false,
      ),
    )
    const restoredS = secondsSince(restoring)
    // 2. start one instance with this server only
    const own = `DATABASE_URL=${cluster.urlOf(machine)}\nDATABASE_DIRECT_URL=\nDATABASE_READ_URL=\n`
    appendFileSync(join(app.root, 'etc/rheinklang/own.env'), own)
    const starting = performance.now()
    const instance = startUnit(app.root, 'rheinklang.service')
    try {
      await until('the app', async () =>
        fetch(`${app.instance}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      const appReadyS = secondsSince(starting)
      const there = async (tickets: string[]) =>
        (await sql('select 1 from contact_messages where ticket = any($1)', [tickets])).length
      const laterThere = await there(after)
      const lost = acknowledged - (await there(before))
      const writing = performance.now()
      await contacts(app.base, 1)
      return {
        backedUpBy,
        changesBackedUpBy,
        fullBackupS,
        restoredS,
        appReadyS,
        acknowledged,
        lost,
        later,
        laterThere,
        firstWriteS: secondsSince(writing),
      }
    } finally {
      await instance.stop()
    }
  } finally {
    await server.stop()
  }
}

const secondsSince = (began: number) => (performance.now() - began) / 1000
let made = 0

/** @returns tickets of messages that were acknowledged */
async function contacts(base: string, count: number): Promise<string[]> {
  const tickets: string[] = []
  for (let n = 0; n < count; n++) {
    const answer = await fetch(`${base}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.8.${made >> 8}.${made++ & 255}` },
      body: JSON.stringify({
        name: 'Lena',
        email: 'lena@example.org',
        topic: 'visitor',
        message: `Lost and found, ${made}`,
      }),
    })
    if (!answer.ok) throw new Error(`A message was answered ${answer.status}.`)
    tickets.push(((await answer.json()) as { ticket: string }).ticket)
  }
  return tickets
}
