import { randomBytes, randomInt } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { writeMachines } from '../../scripts/machine-files.ts'
import { freePort } from '../../test/free-port.ts'
import { startS3Peer } from '../../test/peers/s3.ts'
import { mailSink } from '../mail-sink.ts'
import { until } from './until.ts'
import type { ClusterPrograms, PoolMode } from './programs.ts'
import { ownerOf, runTimer, startUnit, verifyUnits, type Service } from './units.ts'

/** A cluster of deploy/ on one computer: each of its machines has its own IP address, so all of them use the ports of deploy/. */
export interface DatabaseMachine {
  name: string
  address: string
  root: string
  etcd: Service
  patroni: Service
  pgbouncer: Service
}
export interface AppMachine {
  name: string
  /** Origin of its HAProxy, for visitors. */
  base: string
  /** Origin of the instance itself. */
  instance: string
  root: string
  app: Service
  haproxy: Service
}
export type Cluster = Awaited<ReturnType<typeof startCluster>>

const webPort = 18080
const root = new URL('../..', import.meta.url).pathname

export async function startCluster(programs: ClusterPrograms, poolMode: PoolMode) {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-cluster-'))
  // PostgreSQL refuses to run as root; Debian's package creates this user
  const databaseUser = process.getuid!() === 0 ? 'postgres' : userInfo().username
  const net = `127.77.${randomInt(1, 255)}`
  const bucketKeys = { accessKeyId: 'lab', secretAccessKey: randomBytes(12).toString('hex'), region: 'auto' }
  const bucket = await startS3Peer(bucketKeys)
  const mails = await mailSink()
  const secret = () => randomBytes(24).toString('hex')
  const site: Record<string, string> = {
    APP_MACHINES: `app1=${net}.21 app2=${net}.22`,
    DATABASE_MACHINES: `db1=${net}.11 db2=${net}.12 db3=${net}.13`,
    NETWORK: '127.0.0.0/8',
    PUBLIC_URL: `http://${net}.21:${webPort}`,
    WEB_BIND: `\${ADDRESS}:${webPort}`,
    PLAIN_BIND: `\${ADDRESS}:${webPort + 1}`,
    WEB_CONNECTIONS: '8000',
    // two hops: the load generator sends the visitor's address, and HAProxy adds its own
    TRUST_PROXY: '2',
    PUBLIC_CACHE_SECONDS: '0',
    SECRET_KEY: secret(),
    APP_PASSWORD: secret(),
    SUPERUSER_PASSWORD: secret(),
    REPLICATION_PASSWORD: secret(),
    REWIND_PASSWORD: secret(),
    PATRONI_PASSWORD: secret(),
    BACKUP_PASSWORD: secret(),
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'Rheinklang <lab@example.org>',
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucketKeys.region,
    S3_BUCKET: 'festival',
    S3_ACCESS_KEY_ID: bucketKeys.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucketKeys.secretAccessKey,
    BACKUP_TYPE: 'posix',
    BACKUP_PATH: join(folder, 'backups'),
    BACKUP_S3_ENDPOINT: '',
    BACKUP_S3_REGION: '',
    BACKUP_S3_BUCKET: '',
    BACKUP_S3_KEY: '',
    BACKUP_S3_SECRET: '',
    SHARED_BUFFERS: '64MB',
    MAX_CONNECTIONS: '200',
    POOL_SIZE: '120',
    POOL_MODE: poolMode,
    ROOT: join(folder, '${MACHINE}'),
    LOCAL: '${ADDRESS}',
    APP_PORT: String(await freePort()),
    APP_FOLDER: root.replace(/\/$/, ''),
    APP_USER: userInfo().username,
    DATABASE_USER: databaseUser,
    ETCD_USER: userInfo().username,
    POSTGRES_BIN: programs.postgresBin,
    PATRONI: programs.patroni,
  }
  const databases: DatabaseMachine[] = []
  const apps: AppMachine[] = []
  const stopped = { is: false }
  async function stop() {
    if (stopped.is) return
    stopped.is = true
    for (const { app, haproxy } of apps) await Promise.all([app.stop(), haproxy.stop()])
    // a frozen machine could not be stopped
    for (const machine of databases) signalAll(postgresPids(machine), 'SIGCONT')
    await Promise.all(databases.map(({ patroni, pgbouncer }) => Promise.all([patroni.stop(), pgbouncer.stop()])))
    await Promise.all(databases.map(({ etcd }) => etcd.stop()))
    for (const machine of databases) signalAll(postgresPids(machine), 'SIGKILL')
    await Promise.all([bucket.close(), mails.close()])
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  try {
    chmodSync(folder, 0o755)
    mkdirSync(site['BACKUP_PATH']!)
    const machines = writeMachines(site, folder)
    const units = machines.reduce((sum, { name }) => sum + verifyUnits(join(folder, name)), 0)
    console.log(`systemd takes all ${units} units and timers of ${machines.length} machines.`)
    const owner = ownerOf(databaseUser)
    if (owner) {
      for (const name of ['backups', ...machines.filter((each) => each.name.startsWith('db')).map((each) => each.name)])
        for (const path of ['', ...readdirSync(join(folder, name), { recursive: true })] as string[])
          chownSync(join(folder, name, path), owner.uid, owner.gid)
    }
    for (const { name, address } of machines.filter((each) => each.name.startsWith('db'))) {
      const at = join(folder, name)
      databases.push({
        name,
        address,
        root: at,
        etcd: startUnit(at, 'rheinklang-etcd.service'),
        patroni: startUnit(at, 'rheinklang-patroni.service', programs.env),
        pgbouncer: startUnit(at, 'rheinklang-pgbouncer.service'),
      })
    }
    await until('three PostgreSQL', () => isWhole(databases))
    for (const { name, address } of machines.filter((each) => each.name.startsWith('app'))) {
      const at = join(folder, name)
      // the operator's own settings
      writeFileSync(
        join(at, 'etc/rheinklang/own.env'),
        `DEMO_DATA=on\nLOG_LEVEL=warn\nREQUESTS_PER_SECOND=1000000\nPASSWORD_BLOCKLIST=off\n`,
      )
      const instance = `http://${address}:${site['APP_PORT']}`
      apps.push({
        name,
        base: `http://${address}:${webPort}`,
        instance,
        root: at,
        haproxy: startUnit(at, 'rheinklang-haproxy.service'),
        // gives HAProxy time to find the primary
        app: await sleep(1500).then(() => startUnit(at, 'rheinklang.service')),
      })
      await until(`${name} ready`, () => answers(`${instance}/readyz`))
    }
    for (const { base } of apps) await until(base, () => answers(`${base}/healthz`))
  } catch (error) {
    for (const log of globSync(join(folder, '*/*.log')))
      console.error(`--- ${log}\n${readFileSync(log, 'utf8').split('\n').slice(-15).join('\n')}`)
    await stop()
    throw error
  }
  const sql = async <Row>(address: string, text: string, values: unknown[] = []): Promise<Row[]> => {
    const client = superuser(address, 'rheinklang')
    await client.connect()
    try {
      return (await client.query(text, values)).rows as Row[]
    } finally {
      await client.end()
    }
  }
  function superuser(address: string, database: string, options: pg.ClientConfig = {}) {
    const client = new pg.Client({
      host: address,
      port: 5432,
      user: 'postgres',
      password: site['SUPERUSER_PASSWORD']!,
      database,
      connectionTimeoutMillis: 5000,
      ...options,
    })
    client.on('error', () => {})
    return client
  }
  return {
    databases,
    apps,
    mails,
    folder,
    databaseUser,
    sql,
    superuser,
    stop,
    primary: async () => {
      const primary = await primaryOf(databases)
      if (!primary) throw new Error('The cluster has no primary.')
      return primary
    },
    /** The standby that commits wait for. */
    async synchronousStandby() {
      const members = await membersOf(databases)
      return databases.find(({ name }) => members.some((each) => each.name === name && /sync/.test(each.role)))!
    },
    /** Waits for a primary, two standbys that follow it, one of them synchronously, and both instances. */
    async becomesWhole() {
      await until('a whole cluster', () => isWhole(databases))
      for (const { instance } of apps) await until(instance, () => answers(`${instance}/readyz`))
    },
    /** Switches over, like `patronictl switchover`. */
    async switchOver(from: DatabaseMachine) {
      const answer = await fetch(`http://${from.address}:8008/switchover`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`patroni:${site['PATRONI_PASSWORD']}`).toString('base64')}`,
        },
        body: JSON.stringify({ leader: from.name }),
      })
      if (!answer.ok) throw new Error(`Patroni did not switch over: ${answer.status} ${await answer.text()}`)
    },
    /** Kills all processes of the machine, like a power failure. */
    async kill({ patroni, pgbouncer, etcd, ...machine }: DatabaseMachine, { withEtcd = true } = {}) {
      signalAll(postgresPids(machine), 'SIGKILL')
      await Promise.all([patroni, pgbouncer, ...(withEtcd ? [etcd] : [])].map((each) => each.stop('SIGKILL')))
    },
    revive({ patroni, pgbouncer, etcd }: DatabaseMachine) {
      for (const service of [etcd, patroni, pgbouncer]) if (!service.isRunning()) service.start()
    },
    /** Suspends the machine's PostgreSQL, and with `wholly` everything but etcd. Returns a function that resumes it. */
    freeze(machine: DatabaseMachine, { wholly = false } = {}) {
      const pids = [...postgresPids(machine), ...(wholly ? [machine.patroni.pid, machine.pgbouncer.pid] : [])]
      signalAll(pids, 'SIGSTOP')
      return () => signalAll(pids, 'SIGCONT')
    },
    /** Runs the backup timers of all three machines. Returns the names of those that made a backup: only the primary. */
    async backUp(type: 'full' | 'incr') {
      const made = []
      for (const machine of databases)
        if (await runTimer(machine.root, `rheinklang-backup@${type}.timer`)) made.push(machine.name)
      return made
    },
    /** DATABASE_URL of a server, without HAProxy. */
    urlOf: ({ address }: DatabaseMachine) => `postgres://rheinklang:${site['APP_PASSWORD']}@${address}:5432/rheinklang`,
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    async (answer) => (await answer.arrayBuffer(), answer.ok),
    () => false,
  )
}

interface Member {
  name: string
  role: string
  state: string
  lag?: number | string
}

async function membersOf(databases: DatabaseMachine[]): Promise<Member[]> {
  for (const { address } of databases)
    try {
      const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1000) })
      return ((await answer.json()) as { members: Member[] }).members
    } catch {
      // ask the next machine
    }
  return []
}

async function isWhole(databases: DatabaseMachine[]): Promise<boolean> {
  const members = await membersOf(databases)
  const standbys = members.filter(({ role, state }) => role !== 'leader' && ['streaming', 'running'].includes(state))
  return (
    members.length === databases.length &&
    members.some(({ role, state }) => role === 'leader' && state === 'running') &&
    standbys.length === databases.length - 1 &&
    standbys.some(({ role }) => role === 'sync_standby') &&
    standbys.every(({ lag }) => typeof lag === 'number' && lag < 1_000_000) &&
    (await primaryOf(databases)) !== null
  )
}

async function primaryOf(databases: DatabaseMachine[]): Promise<DatabaseMachine | null> {
  const leads = await Promise.all(databases.map(({ address }) => answers(`http://${address}:8008/primary`)))
  return databases[leads.indexOf(true)] ?? null
}

/** The postmaster and its children. */
export function postgresPids({ root }: Pick<DatabaseMachine, 'root'>): number[] {
  const pid = postmasterOf(join(root, 'var/lib/rheinklang-postgres/data'))
  return pid === null ? [] : [pid, ...childrenOf(pid)]
}

/** null: no postmaster runs. */
function postmasterOf(folder: string): number | null {
  try {
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder) ? pid : null
  } catch {
    return null
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
      } catch {
        return false
      }
    })
}

function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // the process has ended
    }
}
