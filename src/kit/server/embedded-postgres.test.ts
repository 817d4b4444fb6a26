import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs'
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  attachOrStartEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgresConnection,
} from './embedded-postgres.ts'
import { linkLibraries } from './embedded-postgres/programs.ts'
import { quickFolder } from '../../../test/quick-folder.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const isRoot = process.getuid?.() === 0

describe.skipIf(process.platform === 'win32')('embedded PostgreSQL', () => {
  // creating a database takes most of a test's time, so most tests get a copy
  let made: string
  beforeAll(async () => {
    made = mkdtempSync(join(quickFolder(), 'embedded-made-'))
    await (await startEmbeddedPostgres({ dataDir: made })).stop()
    return () => rmSync(made, { recursive: true, force: true })
  })
  beforeEach(() => {
    expect(spawnSync('cp', ['-a', made, dataDir]).status).toBe(0)
  })

  test('a new folder gets a safe, empty database', async () => {
    dataDir = join(root, 'new')
    const server = await start()
    const { rows } = await query(
      server.connection,
      `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
         current_setting('TimeZone') as zone, current_setting('listen_addresses') as addresses,
         pg_encoding_to_char(encoding) as encoding, datlocale as locale, current_database() as database,
         (select rolsuper from pg_roles where rolname = current_user) as super
       from pg_database where datname = current_database()`,
    )
    expect(rows[0]).toEqual({
      fsync: 'on',
      commit: 'on',
      zone: 'UTC',
      addresses: '',
      encoding: 'UTF8',
      locale: 'C.UTF-8',
      database: 'rheinklang',
      super: false,
    })
    await query(server.connection, 'create extension pg_trgm; create extension btree_gist; create schema jobs')
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(server.connection.host).mode & 0o777).toBe(0o700)
  })

  test('stopping ends PostgreSQL and frees the folder, also when called twice', async () => {
    const server = await start()
    const pid = server.pid!
    await Promise.all([server.stop(), server.stop()])
    await server.stop()
    expect(isAlive(pid)).toBe(false)
    expect(server.pid).toBeUndefined()
    expect(readdirSync(dataDir).toSorted()).toEqual(['postgres', 'server.lock'])
    await (await start()).stop()
  })

  test('the next start finds what was written', async () => {
    const first = await start()
    await query(first.connection, 'create table posts (id int); insert into posts values (1), (2)')
    await first.stop()
    const second = await start()
    expect((await query(second.connection, 'select id from posts order by id')).rows).toEqual([{ id: 1 }, { id: 2 }])
  })

  test('a second server on the same folder is refused', async () => {
    const server = await start()
    const sentence = (pid: number) =>
      `Another server is already running on the data folder "${dataDir}" (process ${pid}). ` +
      'Stop it, or choose another folder with DATA_DIR.'
    await expect(start()).rejects.toThrow(sentence(process.pid))
    expect(await startElsewhere('startEmbeddedPostgres')).toEqual({ error: sentence(process.pid) })
    await query(server.connection, 'select 1')
  })

  test('a command uses the running server, gets the address of its app, and leaves it running', async () => {
    const origin = 'http://localhost:4000'
    const server = await start({ origin })
    const { child, ...guest } = await startElsewhere('attachOrStartEmbeddedPostgres')
    expect(guest).toEqual({ connection: server.connection, pid: server.pid, origin })
    await stopElsewhere(child!)
    await query(server.connection, 'select 1')
  })

  test('a command without a server runs its own, and the next command waits for its end', async () => {
    const first = await attachOrStartEmbeddedPostgres({ dataDir })
    const order: string[] = []
    const second = startElsewhere('attachOrStartEmbeddedPostgres').then((it) => (order.push('second started'), it))
    await query(first.connection, 'select 1')
    order.push('first stops')
    await first.stop()
    const { child } = await second
    expect(order).toEqual(['first stops', 'second started'])
    await stopElsewhere(child!)
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  })

  test('PostgreSQL ends with a killed app', async () => {
    const { child, pid } = await startElsewhere('startEmbeddedPostgres')
    child!.kill('SIGKILL')
    await vi.waitFor(() => expect(isAlive(pid!)).toBe(false), { timeout: 90_000, interval: 20 })
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false) // it was shut down cleanly
  })

  test.for([
    { who: 'the app', app: true, database: false },
    { who: 'the app and PostgreSQL', app: true, database: true },
  ])('killing $who loses no acknowledged write, and the next start works', async ({ app, database }) => {
    for (let round = 1; round <= 2; round++) {
      const { child, connection, pid } = await startElsewhere('startEmbeddedPostgres')
      await query(connection!, 'create table if not exists acks (id text primary key)')
      const writers = await Promise.all(
        Array.from({ length: 4 }, (_, writer) => writeUntilCutOff(connection!, `${round}-${writer}`, 50)),
      )
      if (app) child!.kill('SIGKILL')
      if (database) process.kill(pid!, 'SIGKILL')
      const acknowledged = (await Promise.all(writers.map((it) => it.cutOff))).flat()
      const server = await start()
      const { rows } = await query(server.connection, 'select id from acks')
      const found = new Set(rows.map((row) => row.id))
      expect(acknowledged.length).toBeGreaterThanOrEqual(200)
      expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
      await server.stop()
    }
  })

  test('a killed PostgreSQL is started again at the same address while the app lives', async () => {
    const ends: string[] = []
    const server = await start({ log: (_, said) => said.startsWith('PostgreSQL ended') && ends.push(said) })
    await query(server.connection, 'create table posts (id int); insert into posts values (1)')
    for (let kill = 1; kill <= 2; kill++) {
      const pid = server.pid!
      process.kill(pid, 'SIGKILL')
      await vi.waitFor(
        async () => expect((await query(server.connection, 'select id from posts')).rows).toEqual([{ id: 1 }]),
        { timeout: 90_000, interval: 20 },
      )
      await vi.waitFor(() => expect(server.pid).toEqual(expect.any(Number)), { timeout: 90_000, interval: 20 })
      expect(server.pid).not.toBe(pid)
      expect(ends).toHaveLength(kill)
    }
    expect(ends[0]).toMatch(/^PostgreSQL ended unexpectedly \(SIGKILL.*\)\. It is being started again\.$/s)
    await server.stop()
    expect(ends).toHaveLength(2)
  })

  test('a start waits until the last busy backend of a killed PostgreSQL is gone', async () => {
    const { child, connection, pid } = await startElsewhere('startEmbeddedPostgres')
    const busy = query(connection!, 'do $$ begin loop end loop; end $$').catch(() => {})
    const backend = await vi.waitFor(
      async () => {
        const { rows } = await query(
          connection!,
          "select pid from pg_stat_activity where query ^@ 'do' and state = 'active'",
        )
        expect(rows).toHaveLength(1)
        return rows[0].pid as number
      },
      { timeout: 90_000, interval: 20 },
    )
    try {
      process.kill(pid!, 'SIGKILL')
      child!.kill('SIGKILL')
      const refusals: string[] = []
      const server = await start({
        log(_, message) {
          if (!message.includes('pre-existing shared memory block')) return
          if (refusals.push(message) === 2) process.kill(backend, 'SIGKILL')
        },
      })
      expect(refusals.length).toBeGreaterThanOrEqual(2)
      await query(server.connection, 'select 1')
    } finally {
      if (isAlive(backend)) process.kill(backend, 'SIGKILL')
      await busy
    }
  })

  test('the creation of a database that was interrupted is done again', async () => {
    dataDir = mkdtempSync(join(root, 'new-'))
    const child = launchElsewhere('startEmbeddedPostgres')
    await vi.waitFor(() => expect(readdirSync(dataDir).some((name) => name.startsWith('postgres.new-'))).toBe(true), {
      timeout: 90_000,
      interval: 1,
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    const server = await start()
    await query(server.connection, 'select 1')
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-'))).toEqual([])
  })

  test('a stale process number that now belongs to another process does no harm', async () => {
    await (await start()).stop()
    const somebody = spawn('sleep', ['60'])
    children.push(somebody)
    const number = String(somebody.pid)
    writeFileSync(
      join(dataDir, 'postgres/postmaster.pid'),
      `${number}\n${dataDir}/postgres\n1\n5432\n\n\n0 0\nready   \n`,
    )
    chownSync(join(dataDir, 'postgres/postmaster.pid'), ...ownerOf(join(dataDir, 'postgres')))
    const server = await start()
    await query(server.connection, 'select 1')
    expect(isAlive(somebody.pid!)).toBe(true)
  })

  test('a path too long for a socket works, and others cannot pretend to be its database', async () => {
    const deep = join(root, 'a-very-long-name-'.repeat(10))
    renameSync(dataDir, deep)
    dataDir = deep
    const server = await start()
    await query(server.connection, 'select 1')
    const { host } = server.connection
    expect(host.length).toBeLessThan(90)
    expect(statSync(host).mode & 0o777).toBe(0o700)
    await server.stop()
    expect(existsSync(host)).toBe(false)

    mkdirSync(host, { mode: 0o755 })
    await expect(start()).rejects.toThrow(`"${host}" is not a folder of ours alone.`)
    rmSync(host, { recursive: true })
  })

  test('a database of another version, or a folder with other files, is refused with a sentence', async () => {
    await (await start()).stop()
    const folder = join(dataDir, 'postgres')
    writeFileSync(join(folder, 'PG_VERSION'), '17\n')
    await expect(start()).rejects.toThrow(/was made by PostgreSQL 17, and this release brings PostgreSQL 18/)
    rmSync(join(folder, 'PG_VERSION'))
    await expect(start()).rejects.toThrow(/is not empty and holds no PostgreSQL database/)
  })

  test('a database that cannot be read is refused with a sentence, and the folder is free again', async () => {
    await (await start()).stop()
    const control = join(dataDir, 'postgres/global/pg_control')
    renameSync(control, `${control}.away`)
    await expect(start()).rejects.toThrow(/^PostgreSQL did not start on ".*pg_control/s)
    renameSync(`${control}.away`, control)
    await start()
  })

  describe.skipIf(!isRoot || !canHideUnshare())('as root where user namespaces are refused', () => {
    beforeEach(() => chmodSync(root, 0o711))

    test('PostgreSQL runs as nobody, and still does once user namespaces are allowed', async () => {
      dataDir = join(root, 'new')
      const { child, connection } = await startElsewhere('startEmbeddedPostgres', { withoutUnshare: true })
      expect(ownerOf(join(dataDir, 'postgres'))).toEqual([65534, 65534])
      await query(connection!, 'create table posts (id int)')
      child!.kill('SIGKILL')
      const server = await start()
      await query(server.connection, 'select * from posts')
      expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Uid:\t65534\t/m)
    })

    test('a database that belongs to root changes its owner', async () => {
      const server = await start()
      await query(server.connection, 'create table posts (id int)')
      await server.stop()
      const { connection } = await startElsewhere('startEmbeddedPostgres', { withoutUnshare: true })
      await query(connection!, 'select * from posts; insert into posts values (1)')
      expect(ownerOf(join(dataDir, 'postgres/base'))).toEqual([65534, 65534])
    })

    test('a folder that the user nobody cannot enter is refused with a sentence', async () => {
      chmodSync(root, 0o700)
      expect(await startElsewhere('startEmbeddedPostgres', { withoutUnshare: true })).toEqual({
        error: expect.stringMatching(
          /^PostgreSQL refuses to run as root, and as another user \(65534\) it cannot reach/,
        ),
      })
    })
  })

  test.skipIf(!isRoot)(
    'an ordinary user can run it, and gets a sentence when the database is another user’s',
    async () => {
      const asNobody = { uid: 65534, gid: 65534 }
      chownSync(root, 65534, 65534)
      dataDir = join(root, 'new')
      const { child, connection } = await startElsewhere('startEmbeddedPostgres', asNobody)
      await query(connection!, 'select 1')
      await stopElsewhere(child!)
      for (const name of readdirSync(dataDir)) expect(ownerOf(join(dataDir, name))).toEqual([65534, 65534])

      chownSync(join(dataDir, 'postgres'), 1, 1)
      expect(await startElsewhere('startEmbeddedPostgres', asNobody)).toEqual({
        error: expect.stringMatching(
          /belongs to the system user 1, and this server runs as 65534\. Run it as its owner/,
        ),
      })
    },
  )
})

describe('links of the shared libraries', () => {
  beforeEach(() => {
    mkdirSync(join(dataDir, 'native/lib'), { recursive: true })
    writeFileSync(join(dataDir, 'native/lib/libpq.so.5.18'), 'library')
    const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }
    writeFileSync(join(dataDir, 'native/pg-symlinks.json'), JSON.stringify([link]))
  })

  test('missing links are created, also by several processes at once', async () => {
    await Promise.all([linkLibraries(dataDir), linkLibraries(dataDir), linkLibraries(dataDir)])
    await linkLibraries(dataDir)
    expect(readlinkSync(join(dataDir, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18')
    expect(readFileSync(join(dataDir, 'native/lib/libpq.so.5'), 'utf8')).toBe('library')
  })

  test('links that cannot be created give an error that says what to do', async () => {
    rmSync(join(dataDir, 'native/lib'), { recursive: true })
    writeFileSync(join(dataDir, 'native/lib'), 'not a folder')
    await expect(linkLibraries(dataDir)).rejects.toThrow(/^PostgreSQL lacks the link .* Run "npm rebuild"/)
  })
})

let dataDir: string
let root: string
const servers: { stop(): Promise<void> }[] = []
const children: ChildProcess[] = []

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(quickFolder(), 'embedded-')))
  dataDir = join(root, 'data')
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  // a postmaster whose app was just killed may still be writing
  const remove = () => {
    rmSync(root, { recursive: true, force: true })
    expect(existsSync(root)).toBe(false)
  }
  await vi.waitFor(remove, { timeout: 90_000, interval: 20 })
})

async function start(options: Omit<Parameters<typeof startEmbeddedPostgres>[0], 'dataDir'> = {}) {
  const server = await startEmbeddedPostgres({ dataDir, ...options })
  servers.push(server)
  return server
}

type Starter = 'startEmbeddedPostgres' | 'attachOrStartEmbeddedPostgres'
interface ProcessOptions {
  withoutUnshare?: boolean
  uid?: number
  gid?: number
}

/** Starts PostgreSQL from a child process, which stops it when its standard input ends. */
async function startElsewhere(starter: Starter, options: ProcessOptions = {}): Promise<Elsewhere> {
  const child = launchElsewhere(starter, options)
  const gone = once(child, 'exit').then(() => Promise.reject(new Error('The process ended without an answer.')))
  const [line] = (await Promise.race([once(child.stdout!, 'data'), gone])) as [Buffer]
  gone.catch(() => {})
  const answer = JSON.parse(line.toString()) as Elsewhere
  return 'error' in answer ? answer : { ...answer, child }
}

interface Elsewhere {
  error?: string
  child?: ChildProcess
  connection?: EmbeddedPostgresConnection
  pid?: number
  origin?: string | null
}

function launchElsewhere(starter: Starter, { withoutUnshare, ...user }: ProcessOptions = {}): ChildProcess {
  const code = `
    import { once } from 'node:events'
    import { ${starter} } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)}
    try {
      const server = await ${starter}({ dataDir: ${JSON.stringify(dataDir)} })
      const { connection, pid, origin } = server
      console.log(JSON.stringify({ connection, pid, origin }))
      await once(process.stdin.resume(), 'end')
      await server.stop()
    } catch (error) {
      console.log(JSON.stringify({ error: error.message }))
    }`
  const command = [process.execPath, '--input-type=module', '-e', code]
  const [program, ...args] = withoutUnshare ? [...hidingUnshare, ...command] : command
  const child = spawn(program!, args, { ...user, stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  return child
}

async function stopElsewhere(child: ChildProcess) {
  child.stdin!.end()
  expect(await once(child, 'exit')).toEqual([0, null])
}

/** Runs a command in a mount namespace in which `unshare` fails. */
const hidingUnshare = [
  'unshare',
  '-m',
  'sh',
  '-c',
  'mount --bind /bin/false "$(command -v unshare)" && exec "$@"',
  'sh',
]

function canHideUnshare() {
  return spawnSync(hidingUnshare[0]!, [...hidingUnshare.slice(1), 'true']).status === 0
}

async function query(connection: EmbeddedPostgresConnection, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.query(sql)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Resolves after `count` acknowledged writes; `cutOff` resolves with all ids acknowledged before the connection broke. */
async function writeUntilCutOff(connection: EmbeddedPostgresConnection, name: string, count: number) {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  const acknowledged: string[] = []
  const enough = Promise.withResolvers<void>()
  async function write() {
    try {
      for (;;) {
        const id = `${name}-${acknowledged.length}`
        await client.query('insert into acks values ($1)', [id])
        if (acknowledged.push(id) === count) enough.resolve()
      }
    } catch {
      await client.end().catch(() => {})
      return acknowledged
    }
  }
  const cutOff = write()
  await enough.promise
  return { cutOff }
}

function ownerOf(path: string): [number, number] {
  const { uid, gid } = statSync(path)
  return [uid, gid]
}

/** False for zombies too: killed processes that no parent has waited for. */
function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc') || !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
