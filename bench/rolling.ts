import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startOwnPostgres } from '../test/postgres-pair.ts'
import { startLoad } from './outages.ts'
import { programOf, startServer, type RunningServer } from './servers.ts'
import { walk } from './walk.ts'

export interface Rolling {
  /** The commit whose code ran before. */
  from: string
  /** Migrations that the new version brings. */
  newMigrations: number
  reads: number
  writes: number
  /** Answers but 2xx, and requests without one, by what was asked. */
  failed: Record<string, number>
  slowestMs: number
  /** What the old code was asked on the new schema, and which of it answered 5xx or broke off. */
  asked: number
  broken: string[]
}

const root = new URL('..', import.meta.url).pathname

/** The newest tag; where there is none, the commit before the first migration that no release has. */
export function releaseBefore(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  try {
    return git('describe', '--tags', '--abbrev=0')
  } catch {
    const released = readFileSync(join(root, 'migrations/released.txt'), 'utf8').split('\n')
    // some had another number once
    const isNew = (file: string) =>
      file.endsWith('.sql') && existsSync(join(root, file)) && !released.includes(file.slice('migrations/'.length, -4))
    const added = git('log', '--diff-filter=A', '--name-only', '--format=@%H', '--', 'migrations').split('\n')
    let commit = ''
    let first = 'HEAD'
    for (const line of added)
      if (line.startsWith('@')) commit = line.slice(1)
      else if (isNew(line)) first = commit
    return git('rev-parse', `${first}~1`)
  }
}

/**
 * Two instances of the release before are replaced by this version one after the other, as the operator's document says, under
 * twenty reads and twenty writes a second through a proxy that asks `/healthz`; with `from` = this version it is a rolling
 * restart. While the old code runs on the new schema it is walked through by a visitor and a merchant.
 */
export async function measureRolling(from: string | null): Promise<Rolling> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-rolling-'))
  const old = from === null ? root : checkout(from, join(folder, 'old'))
  const postgres = await startOwnPostgres()
  const instance = (n: number, cwd: string) =>
    startServer(
      programOf(cwd),
      {
        DATABASE_URL: postgres.url,
        DATA_DIR: join(folder, `data-${n}`),
        DEMO_DATA: 'on',
        PAYMENTS: 'test',
        TRUST_PROXY: 'on',
        LOG_LEVEL: 'silent',
        SECRET_KEY: 'the same on both instances, for this measurement',
      },
      { probe: '/readyz', cwd },
    )
  const instances: RunningServer[] = []
  const proxy = await startProxy(() => instances.map(({ base }) => base))
  try {
    for (const n of [0, 1]) instances.push(await instance(n, old))
    const migrationsBefore = await migrationsIn(postgres)
    await sleep(1500)
    const load = startLoad([proxy.base])
    await sleep(3000)
    load.forget()
    let told = { asked: 0, broken: [] as string[] }
    for (const n of [0, 1]) {
      await instances[n]!.stop()
      instances[n] = await instance(n, root)
      await sleep(3000)
      // the other one is still old, and the schema is new
      if (n === 0) told = await walk(instances[1]!.base)
    }
    await sleep(3000)
    await load.stop()
    const asked = load.asked()
    const failed: Record<string, number> = {}
    for (const { status, kind } of asked) {
      const what = `${kind} ${status || 'without an answer'}`
      if (status < 200 || status > 299) failed[what] = (failed[what] ?? 0) + 1
    }
    for (const [code, count] of proxy.cut) failed[`cut off (${code})`] = count
    return {
      from: from ?? 'this version',
      newMigrations: (await migrationsIn(postgres)) - migrationsBefore,
      reads: asked.filter(({ isWrite }) => !isWrite).length,
      writes: asked.filter(({ isWrite }) => isWrite).length,
      failed,
      slowestMs: Math.max(...asked.map(({ ms }) => ms)),
      ...told,
    }
  } finally {
    await proxy.close()
    for (const each of instances) await each.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function migrationsIn(postgres: Awaited<ReturnType<typeof startOwnPostgres>>): Promise<number> {
  const [row] = await postgres.sql<{ count: number }>('select count(*)::int as count from kysely_migration')
  return row!.count
}

/** The files of a commit, built; packages are those of this version. */
function checkout(commit: string, folder: string): string {
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return folder
}

const lookMs = 1_000
const checkMs = 5_000
const fallsAfter = 2
const tryAgainMs = 100

/**
 * As deploy/app/etc/rheinklang/haproxy.cfg: by turns, to those that answer `/healthz`; what only reads is asked again, of another one, what writes
 * only where nothing was sent yet.
 */
async function startProxy(bases: () => string[]) {
  const failures = new Map<string, number>()
  /** Requests that an instance did not answer, by error. */
  const cut = new Map<string, number>()
  let turn = 0
  const looking = setInterval(() => {
    for (const base of bases())
      fetch(`${base}/healthz`, { signal: AbortSignal.timeout(checkMs) }).then(
        ({ ok }) => failures.set(base, ok ? 0 : (failures.get(base) ?? 0) + 1),
        () => failures.set(base, (failures.get(base) ?? 0) + 1),
      )
  }, lookMs)
  const next = (failed: string | null) => {
    const all = bases()
    const well = all.filter((base) => (failures.get(base) ?? 0) < fallsAfter)
    const from = well.length > 0 ? well : all
    const others = from.filter((base) => base !== failed)
    return (others.length > 0 ? others : from)[turn++ % (others.length || from.length)]!
  }
  const forward = (
    asked: IncomingMessage,
    answer: ServerResponse,
    body: Buffer,
    tries: number,
    failed: string | null,
  ) => {
    const base = next(failed)
    const sent = request(base + asked.url, { method: asked.method, headers: asked.headers, agent: false })
    sent.on('response', (got) => {
      answer.writeHead(got.statusCode!, got.headers)
      got.pipe(answer)
      got.on('error', () => answer.destroy())
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const mayAskAgain = error.code === 'ECONNREFUSED' || ['GET', 'HEAD'].includes(asked.method!)
      if (mayAskAgain && !answer.headersSent && tries > 0)
        return void setTimeout(() => forward(asked, answer, body, tries - 1, base), tryAgainMs)
      cut.set(error.code ?? error.message, (cut.get(error.code ?? error.message) ?? 0) + 1)
      answer.destroy()
    })
    sent.end(body)
  }
  const server = createServer((asked, answer) => {
    const pieces: Buffer[] = []
    asked.on('data', (piece: Buffer) => pieces.push(piece))
    asked.on('end', () => forward(asked, answer, Buffer.concat(pieces), 3, null))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    cut,
    base: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    async close() {
      clearInterval(looking)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
