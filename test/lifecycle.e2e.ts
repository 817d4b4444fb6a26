import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '../src/kit/server/database.ts'
import { databaseUrl, dropDatabase, sql } from './databases.ts'
import { attachOrStartEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { startMailPeer, withMail } from './peers/smtp.ts'
import { freePort } from './free-port.ts'
import { quickFolder } from './quick-folder.ts'

// these tests start whole servers, or wait for retries of mails
vi.setConfig({ testTimeout: 240_000 })

interface Started {
  child: ChildProcess
  url: string
  output: () => string
}

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function folder() {
  const dataDir = mkdtempSync(join(quickFolder(), 'rheinklang-life-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return dataDir
}

/** A folder that several tests share, as they need no empty one. */
const stocked = mkdtempSync(join(quickFolder(), 'rheinklang-life-'))
afterAll(() => rmSync(stocked, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

/** Starts the built server like `npm start`, and waits until it is ready. */
async function start(
  dataDir: string,
  env: Record<string, string> = {},
  user: { uid?: number; gid?: number } = {},
): Promise<Started> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['build/app/main.mjs'], {
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream!.on('data', (chunk) => (output += chunk))
  await vi.waitUntil(
    () =>
      child.exitCode !== null ||
      fetch(`${url}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      ),
    { timeout: 240_000, interval: 25 },
  )
  return { child, url, output: () => output }
}

async function exitOf(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

const ticketFrom = async (url: string, n: number, address?: string) => {
  const answer = await fetch(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(address ? { 'x-forwarded-for': address } : {}) },
    body: JSON.stringify({ name: 'Lena', email: 'lena@example.org', message: `Message number ${n}, please answer.` }),
  })
  return answer.status === 201 ? ((await answer.json()) as { ticket: string }).ticket : null
}

describe('one command', () => {
  it('runs on an empty folder with demo data, and again without filling them in twice', async () => {
    const dataDir = folder()
    const first = await start(dataDir)
    expect(first.output()).toContain('Rheinklang is on: http://127.0.0.1')
    const isNew = `There is no database in ${JSON.stringify(dataDir)} (DATA_DIR) yet. A new one is made.`
    expect(first.output()).toContain(JSON.stringify(isNew).slice(1, -1))
    const deals = await fetch(`${first.url}/api/deals`)
    expect(Number(deals.headers.get('x-total-count'))).toBeGreaterThan(100)
    const one = ((await deals.json()) as { deal_id: string }[])[0]!.deal_id
    first.child.kill('SIGTERM')
    expect(await exitOf(first.child)).toBe(0)

    const second = await start(dataDir)
    expect(second.output()).not.toContain('There is no database')
    expect((await fetch(`${second.url}/api/deals`)).headers.get('x-total-count')).toBe(
      deals.headers.get('x-total-count'),
    )
    expect((await fetch(`${second.url}/api/deals/${one}`)).status).toBe(200)
  })

  it('refuses a second server on the same folder with a sentence', async () => {
    const first = await start(stocked)
    const second = await start(stocked)
    expect(await exitOf(second.child)).toBe(1)
    expect(second.output()).toMatch(/Another server is already running on the data folder/)
    expect(second.output()).not.toMatch(/at .*\.ts:\d+/)
    first.child.kill('SIGTERM')
    expect(await exitOf(first.child)).toBe(0)
  })

  it('refuses a contradictory configuration with a sentence', async () => {
    const dataDir = folder()
    const child = spawn(process.execPath, ['build/app/main.mjs'], {
      env: { ...process.env, DATA_DIR: dataDir, PORT: 'http', LOG_LEVEL: 'loud' },
      stdio: 'pipe',
    })
    let output = ''
    child.stderr.on('data', (chunk) => (output += chunk))
    expect(await exitOf(child)).toBe(1)
    expect(output).toContain('PORT must be a number.')
    expect(output).toContain('LOG_LEVEL must be one of')
  })

  it.each([
    ['HOST', { HOST: 'nonsense' }, /^Rheinklang could not start: HOST nonsense is no name or address of this machine/],
    [
      'HOST',
      { HOST: '203.0.113.9' },
      /^Rheinklang could not start: HOST 203\.0\.113\.9 is no address of this machine\./,
    ],
    [
      'DATA_DIR',
      { DATA_DIR: '/proc/foo' },
      /^Rheinklang could not start: The data folder "\/proc\/foo" cannot be used/,
    ],
    [
      'DATABASE_URL',
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /^Rheinklang could not start: The database of DATABASE_URL cannot be reached: connect ECONNREFUSED/,
    ],
    // checked before any database
    [
      'MAP_PACK',
      { MAP_PACK: 'package.json', DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /^Rheinklang could not start: MAP_PACK: /,
    ],
  ])('names %s in a sentence when it leads nowhere: %j', async (_, env: Record<string, string>, sentence) => {
    const { child, output } = await start(stocked, env)
    expect(await exitOf(child)).toBe(1)
    expect(output()).toMatch(sentence)
    expect(output().trim().split('\n')).toHaveLength(1)
  })

  it('needs no data folder where database, mails and uploads are elsewhere', async () => {
    const { env } = await ownDatabase()
    const S3 = {
      S3_ENDPOINT: 'http://127.0.0.1:1',
      S3_BUCKET: 'uploads',
      S3_ACCESS_KEY_ID: 'x',
      S3_SECRET_ACCESS_KEY: 'x',
    }
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'hello@example.ch' }
    const { child, output } = await start('/proc/foo', { ...env, ...S3, ...mail, DEMO_DATA: 'off' })
    expect(child.exitCode, output()).toBeNull()
  })

  it('warns of uploads that lie on one machine (DATABASE_URL without a bucket), and of test payments on a public site', async () => {
    const { env } = await ownDatabase()
    const dataDir = folder()
    const payments = { PAYMENTS: 'test', PUBLIC_URL: 'https://deals.example.ch' }
    const { output } = await start(dataDir, { ...env, DEMO_DATA: 'off', ...payments })
    expect(output()).toContain('Payments: by the test provider, so merchants pay nothing.')
    expect(output()).toContain(
      `Uploads: in ${join(dataDir, 'uploads')}, on this machine only; other instances need S3_… for them.`,
    )
  })

  it('names a PORT that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as { port: number }
    const { child, output } = await start(stocked, { PORT: String(port) })
    expect(await exitOf(child)).toBe(1)
    // log lines about a slow database may come before it
    expect(
      output()
        .split('\n')
        .filter((line) => !line.startsWith('{')),
    ).toEqual([
      `Rheinklang could not start: PORT ${port} is in use by another program. Stop it, or choose another one.`,
      '',
    ])
  })

  it.each([
    ['import', ['businesses', 'test/map-pack/tiny/haltestellen.geojson'], 'Nothing was imported: '],
    ['staff', ['list'], ''],
  ])('npm run %s says that the database of DATABASE_URL cannot be reached', async (name, args, before) => {
    const child = spawn(process.execPath, [`build/app/${name}.mjs`, ...args], {
      env: { ...process.env, DATABASE_URL: 'postgres://127.0.0.1:1/x', DATA_DIR: folder() },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    children.push(child)
    let output = ''
    child.stderr!.on('data', (chunk) => (output += chunk))
    await once(child, 'close')
    expect(child.exitCode).toBe(1)
    expect(output).toBe(`${before}The database of DATABASE_URL cannot be reached: connect ECONNREFUSED 127.0.0.1:1.\n`)
  })
})

describe.skipIf(process.getuid?.() !== 0)('one start as root', () => {
  const nobody = 65534
  const asNobody = { uid: nobody, gid: nobody }
  function foreign(path: string): string[] {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found) return []
    const below = found.isDirectory() ? readdirSync(path).flatMap((name) => foreign(join(path, name))) : []
    return found.uid === nobody ? below : [path, ...below]
  }

  it.each([
    ['the first', false],
    ['a later', true],
  ])('as the %s one leaves no files that the owner of the folder could not use', async (_, isLater) => {
    const dataDir = folder()
    chownSync(dataDir, nobody, nobody)
    const env = { DEMO_DATA: 'off', LOG_LEVEL: 'error' }
    const runs = [...(isLater ? [asNobody] : []), {}, asNobody]
    for (const [round, user] of runs.entries()) {
      const { child, url, output } = await start(dataDir, env, user)
      expect(child.exitCode, output()).toBeNull()
      expect(await ticketFrom(url, round)).not.toBeNull()
      const mails = join(dataDir, 'mail')
      // complete, not still being written
      const written = () => (existsSync(mails) ? readdirSync(mails).filter((name) => !name.endsWith('.new')) : [])
      await vi.waitUntil(() => written().length === 2 * (round + 1), { timeout: 240_000, interval: 50 })
      // a killed server leaves more behind than one that is stopped
      child.kill('SIGKILL')
      await exitOf(child)
      await vi.waitUntil(() => !existsSync(join(dataDir, 'postgres', 'postmaster.pid')), { timeout: 240_000 })
      expect(foreign(dataDir), `round ${round}`).toEqual([])
    }
  })
})

describe('SIGTERM', () => {
  it.each([1, 2, 3])('lets every request that had begun finish (round %i of R7)', async () => {
    const { child, url, output } = await start(stocked)
    const outcomes = { answered: 0, refused: 0, reset: 0 }
    const agent = new Agent({ keepAlive: true })
    let termAt = Infinity
    const ask = () =>
      new Promise<void>((done) => {
        let sentAt = Infinity
        const lost = () => {
          // requests that the operating system had accepted before the signal must be answered
          if (sentAt < termAt) outcomes.reset++
          else outcomes.refused++
          done()
        }
        const request = get(`${url}/api/deals/search?radius=5&limit=20`, { agent }, (answer) => {
          answer.resume()
          answer.on('error', lost).on('end', () => {
            if (answer.statusCode === 200) outcomes.answered++
            else outcomes.refused++
            done()
          })
        })
        request.on('finish', () => (sentAt = performance.now())).on('error', lost)
      })
    const client = async () => {
      while (child.exitCode === null) await ask()
    }
    const clients = Array.from({ length: 50 }, client)
    await vi.waitUntil(() => outcomes.answered >= 150, { timeout: 240_000, interval: 5 })
    termAt = performance.now()
    child.kill('SIGTERM')
    expect(await exitOf(child), output()).toBe(0)
    await Promise.all(clients)
    agent.destroy()
    expect(outcomes.reset).toBe(0)
  })

  it('answers requests that were accepted by the operating system but not read yet', async () => {
    const { child, url, output } = await start(stocked)
    const { port } = new URL(url)
    child.kill('SIGSTOP')
    // a stop accepts waiting requests for 4 s: on a busy machine about 300
    const statuses = await Promise.all(
      Array.from({ length: 150 }, async () => {
        const socket = connect({ port: Number(port), host: '127.0.0.1' })
        await once(socket, 'connect')
        await new Promise((sent) => socket.write('GET /api/deals?limit=5 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n', sent))
        return socket
      }),
    ).then((sockets) => {
      child.kill('SIGTERM')
      child.kill('SIGCONT')
      return Promise.all(
        sockets.map(async (socket) => {
          let answer = ''
          socket.setEncoding('latin1').on('data', (part) => (answer += part))
          await once(socket, 'close').catch(() => null)
          return answer.split('\r\n')[0]
        }),
      )
    })
    expect(new Set(statuses)).toEqual(new Set(['HTTP/1.1 200 OK']))
    expect(await exitOf(child), output()).toBe(0)
  })
})

describe('a mail server', () => {
  it.each(['the embedded database', 'DATABASE_URL'])(
    'that is slow does not keep a stop with %s: exit 0, and each mail arrives once',
    async (kind) => {
      const peer = await startMailPeer({ holds: 'recipient' })
      const dataDir = folder()
      const env = {
        DEMO_DATA: 'off',
        ...withMail(peer.url),
        ...(kind === 'DATABASE_URL' ? (await ownDatabase()).env : {}),
      }
      const first = await start(dataDir, env)
      const tickets = [await ticketFrom(first.url, 1), await ticketFrom(first.url, 2)]
      await vi.waitUntil(() => peer.held() === 2, { timeout: 240_000, interval: 20 })
      first.child.kill('SIGTERM')
      expect(await exitOf(first.child), first.output()).toBe(0)
      expect(first.output()).not.toMatch(/destroyed|did not stop cleanly/)
      peer.letGo()
      const second = await start(dataDir, env)
      await vi.waitUntil(() => peer.received.length === 2, { timeout: 240_000, interval: 100 })
      second.child.kill('SIGTERM')
      expect(await exitOf(second.child), second.output()).toBe(0)
      const subjects = peer.received.map(({ raw }) => /^Subject: \[(\S+)\]/m.exec(raw)![1])
      expect(new Set(subjects)).toEqual(new Set(tickets))
    },
  )
  it('is checked by the doctor, which prints what is wrong but never the secret', async () => {
    const peer = await startMailPeer({ login: 535 }, { demandsLogin: true })
    const { env } = await ownDatabase()
    const doctor = async (SMTP_URL: string) => {
      const child = spawn(process.execPath, ['scripts/doctor.ts'], {
        env: { ...process.env, ...env, DATA_DIR: folder(), PORT: '0', MAIL_FROM: 'a@b.ch', SMTP_URL },
        stdio: 'pipe',
      })
      children.push(child)
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
      expect(await exitOf(child)).toBe(1)
      expect(output).not.toMatch(/secret@|geheim|at .*\.ts:\d/)
      return output
    }
    expect(await doctor('smtps://user:geheim/pass@mail.example.ch:465')).toContain('✗ SMTP_URL must be an address')
    expect(await doctor(peer.url)).toContain('✗ The mail server refuses the login (535). Look at user and password')
  })
})

describe('a database that comes and goes', () => {
  it('does not end the server: connections that break in use give only 503, and soon 200 again (R2)', async () => {
    const { child, url, output } = await start(stocked)
    const statuses = new Set<number>()
    let running = true
    const client = async () => {
      while (running) statuses.add((await fetch(`${url}/api/deals?limit=5`).catch(() => ({ status: -1 }))).status)
    }
    const clients = Array.from({ length: 20 }, client)
    const postgres = await attachOrStartEmbeddedPostgres({ dataDir: stocked })
    for (let round = 0; round < 3; round++) {
      await vi.waitUntil(() => statuses.has(200), { timeout: 240_000, interval: 10 })
      // a separate client, as this statement closes its own connection too
      const { pool, db } = openDatabase(postgres.connection)
      await pool.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and pid <> pg_backend_pid()',
      )
      await db.destroy()
      statuses.delete(200)
    }
    process.kill(Number(readFileSync(join(stocked, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    statuses.delete(200)
    await vi.waitUntil(() => statuses.has(200), { timeout: 240_000, interval: 10 })
    running = false
    await Promise.all(clients)
    await postgres.stop()
    expect(child.exitCode, output()).toBeNull()
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  })

  it('is prepared by one instance at a time, however many start at once', async () => {
    const { admin } = inject('postgres')
    const name = `rk_twins_${process.pid}`
    await sql(admin, `create database ${name} encoding 'UTF8' template template0`)
    onTestFinished(() => dropDatabase(admin, name))
    const DATABASE_URL = databaseUrl(admin, name)
    const twins = await Promise.all([1, 2, 3].map(() => start(folder(), { DATABASE_URL, DEMO_DATA: 'on' })))
    for (const twin of twins) expect(twin.child.exitCode, twin.output()).toBeNull()
    const counts = await Promise.all(
      twins.map(async ({ url }) => (await fetch(`${url}/api/deals`)).headers.get('x-total-count')),
    )
    expect(new Set(counts).size).toBe(1)
  })

  it('that takes no writes is refused with a sentence', async () => {
    const { admin } = inject('postgres')
    const name = `rk_standby_${process.pid}`
    await sql(admin, `create database ${name} encoding 'UTF8' template template0`)
    onTestFinished(() => dropDatabase(admin, name))
    await sql(admin, `alter database ${name} set default_transaction_read_only = on`)
    const { child, output } = await start(folder(), { DATABASE_URL: databaseUrl(admin, name) })
    expect(await exitOf(child)).toBe(1)
    expect(output()).toContain('The database is read-only, as a standby is.')
    expect(output()).not.toMatch(/at .*\.ts:\d+/)
  })

  it('that another instance is migrating is waited for, with a log line', async () => {
    const { admin } = inject('postgres')
    const name = `rk_busy_${process.pid}`
    await sql(admin, `create database ${name} encoding 'UTF8' template template0`)
    onTestFinished(() => dropDatabase(admin, name))
    const DATABASE_URL = databaseUrl(admin, name)
    const { db, pool } = openDatabase({ connectionString: DATABASE_URL })
    const other = await pool.connect()
    await other.query("select pg_advisory_lock(hashtext('rheinklang start'))")
    const waiting = spawn(process.execPath, ['build/app/main.mjs'], {
      env: { ...process.env, DATABASE_URL, DATA_DIR: folder(), PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(waiting)
    let output = ''
    waiting.stdout.on('data', (chunk) => (output += chunk))
    await vi.waitUntil(() => output.includes('waiting for another instance'), { timeout: 240_000, interval: 50 })
    expect(output).not.toContain('Rheinklang is on')
    other.release(true)
    await db.destroy()
    await vi.waitUntil(() => output.includes('Rheinklang is on'), { timeout: 240_000, interval: 50 })
  })
})

describe('kill -9', () => {
  const rounds = 3
  it.each(['the embedded database', 'DATABASE_URL'])(
    `loses no acknowledged message in ${rounds} rounds with %s, and starts again each time (R1)`,
    async (kind) => {
      const dataDir = folder()
      const { env, connect } = kind === 'DATABASE_URL' ? await ownDatabase() : embeddedIn(dataDir)
      const acknowledged = new Set<string>()
      let n = 0
      for (let round = 0; round < rounds; round++) {
        const { child, url, output } = await start(dataDir, {
          DEMO_DATA: 'off',
          LOG_LEVEL: 'error',
          // each message comes from another IP address, because of the limit per hour
          TRUST_PROXY: '1',
          ...env,
        })
        expect(child.exitCode, output()).toBeNull()
        let running = true
        const writer = async () => {
          while (running) {
            const ticket = await ticketFrom(url, n, `10.0.${n >> 8}.${n++ & 255}`).catch(() => null)
            if (ticket) acknowledged.add(ticket)
          }
        }
        const before = acknowledged.size
        const writers = Array.from({ length: 8 }, writer)
        await vi.waitUntil(() => acknowledged.size >= before + 100, { timeout: 240_000, interval: 5 })
        child.kill('SIGKILL')
        running = false
        await Promise.all(writers)
        await exitOf(child)
      }
      const { db, close } = await connect()
      const rows = await db.selectFrom('contact_messages').select('ticket').execute()
      await close()
      const stored = new Set(rows.map((row) => row.ticket))
      expect([...acknowledged].filter((ticket) => !stored.has(ticket))).toEqual([])
      expect(acknowledged.size).toBeGreaterThanOrEqual(100 * rounds)
    },
  )
})

/** The embedded database of a folder, also while its server runs. */
function embeddedIn(dataDir: string) {
  return {
    env: {},
    connect: async () => {
      const postgres = await attachOrStartEmbeddedPostgres({ dataDir })
      const { db } = openDatabase(postgres.connection)
      return {
        db,
        close: async () => {
          await db.destroy().catch(() => {})
          await postgres.stop()
        },
      }
    },
  }
}

/** A database whose server keeps running when the tested server ends. */
async function ownDatabase() {
  const { admin, empty } = inject('postgres')
  const name = `rk_life_${process.pid}_${Date.now().toString(36)}`
  await sql(admin, `create database ${name} template ${empty}`)
  onTestFinished(() => dropDatabase(admin, name))
  const url = databaseUrl(admin, name)
  return {
    env: { DATABASE_URL: url },
    connect: async () => {
      const { db } = openDatabase({ connectionString: url })
      return { db, close: () => db.destroy().catch(() => {}) }
    },
  }
}
