import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './site.ts'
import { until } from './until.ts'

/** A fault and its repair. `run` resolves after the repair. */
export interface Fault {
  name: string
  what: string
  run(cluster: Cluster): Promise<void>
}

export const faults: Fault[] = [
  {
    name: 'primary-killed',
    what: "primary's machine killed (PostgreSQL, Patroni, PgBouncer, etcd)",
    async run(cluster) {
      const primary = await cluster.primary()
      await cluster.kill(primary)
      await anotherLeads(cluster, primary.name)
      await sleep(5000)
      cluster.revive(primary)
    },
  },
  {
    name: 'primary-hung',
    what: "primary's PostgreSQL hung for 30 s",
    async run(cluster) {
      const thaw = cluster.freeze(await cluster.primary())
      await sleep(30_000)
      thaw()
    },
  },
  {
    name: 'machine-hung',
    what: "primary's PostgreSQL, PgBouncer and Patroni hung for 30 s",
    async run(cluster) {
      const thaw = cluster.freeze(await cluster.primary(), { wholly: true })
      await sleep(30_000)
      thaw()
    },
  },
  {
    name: 'standby-hung',
    what: 'synchronous standby (PostgreSQL, PgBouncer, Patroni) hung for 30 s',
    async run(cluster) {
      const thaw = cluster.freeze(await cluster.synchronousStandby(), { wholly: true })
      await sleep(30_000)
      thaw()
    },
  },
  {
    name: 'switchover',
    what: 'switchover',
    async run(cluster) {
      const primary = await cluster.primary()
      await cluster.switchOver(primary)
      await anotherLeads(cluster, primary.name)
    },
  },
  {
    name: 'standbys-gone',
    what: 'both standbys killed, back after 15 s',
    async run(cluster) {
      const primary = await cluster.primary()
      const standbys = cluster.databases.filter((each) => each !== primary)
      await Promise.all(standbys.map((each) => cluster.kill(each, { withEtcd: false })))
      await sleep(15_000)
      for (const each of standbys) cluster.revive(each)
    },
  },
  {
    name: 'etcd-gone',
    what: 'two of three etcd killed, back after 30 s',
    async run(cluster) {
      const two = cluster.databases.slice(0, 2).map(({ etcd }) => etcd)
      await Promise.all(two.map((etcd) => etcd.stop('SIGKILL')))
      await sleep(30_000)
      for (const etcd of two) etcd.start()
    },
  },
  {
    name: 'instance-killed',
    what: 'an instance killed (started again by its unit after 1 s)',
    async run(cluster) {
      const [{ app }] = cluster.apps as [Cluster['apps'][number]]
      app.signal('SIGKILL')
      await sleep(5000)
    },
  },
  {
    name: 'rolling-restart',
    what: 'both instances restarted one after the other',
    async run(cluster) {
      for (const { app, instance } of cluster.apps) {
        await app.stop()
        app.start()
        await until(instance, async () =>
          fetch(`${instance}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
            ({ ok }) => ok,
            () => false,
          ),
        )
        // time for the proxies to use it again
        await sleep(2000)
      }
    },
  },
]

async function anotherLeads(cluster: Cluster, than: string) {
  await until('another primary', async () => {
    const primary = await cluster.primary().catch(() => null)
    return primary !== null && primary.name !== than
  })
}
