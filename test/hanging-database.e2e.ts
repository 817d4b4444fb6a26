import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { freePort } from './free-port.ts'
import { quickFolder } from './quick-folder.ts'

/** The database hangs for 8 s: longer than every time limit of the app, so that connections are given up and opened again. */
const requests = 400
const everyMs = 20

it(
  'while the database hangs every answer is a 503 that says when to come again, and after its return all is well',
  { timeout: 240_000 },
  async (test) => {
    const dataDir = mkdtempSync(join(quickFolder(), 'rheinklang-hang-'))
    const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'db') })
    // its own PostgreSQL, so that other tests can go on
    const family = () => {
      const all = execFileSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
      const main = postgres.pid!
      return [main, ...all.filter(([, parent]) => parent === main).map(([pid]) => pid)]
    }
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      for (const pid of family()) {
        try {
          process.kill(pid, name)
        } catch (error) {
          // a backend may have ended meanwhile
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
      }
    }
    const { host, port: pgPort, user, database } = postgres.connection
    const port = await freePort()
    const app = spawn(process.execPath, ['build/app/main.mjs'], {
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: join(dataDir, 'app'),
        LOG_LEVEL: 'silent',
        DATABASE_URL: `postgres://localhost/${database}?host=${encodeURIComponent(host)}&port=${pgPort}&user=${user}`,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    // if the server has ended, its last lines say why
    let lastWords = ''
    app.stderr.setEncoding('utf8').on('data', (words: string) => (lastWords = (lastWords + words).slice(-4000)))
    let end: string | null = null
    app.on('exit', (code, by) => (end = `The server ended with ${by ?? code}. ${lastWords}`))
    onTestFinished(async () => {
      signal('SIGCONT')
      app.kill('SIGKILL')
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    })

    const base = `http://127.0.0.1:${port}`
    const ask = async (path: string) => {
      const { status, headers } = await fetch(base + path).then(
        async (answer) => (await answer.arrayBuffer(), answer),
        () => ({ status: 0, headers: new Headers() }),
      )
      const after = Number(headers.get('retry-after'))
      return { path, status, after, cacheControl: headers.get('cache-control') }
    }
    await vi.waitUntil(async () => (await ask('/readyz')).status === 200, { timeout: 90_000, interval: 50 })
    const paths = [
      '/api/deals?limit=5',
      '/api/deals/search?limit=5',
      '/api/deals?category=food&limit=5',
      '/api/deals/0190a000-0000-7000-8000-000000000000',
    ]
    for (const path of paths) expect((await ask(path)).status, path).toBeLessThan(500)
    // not requested before: pages are cached for a second
    const pages = ['/deals', '/deals?q=coffee', '/business', '/deal/0190a000-0000-7000-8000-000000000000']
    const asked = [...paths, ...pages]

    try {
      signal('SIGSTOP')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPERM')
        return test.skip('The database runs as a user whom this one may not signal.')
      throw error
    }
    const answers: ReturnType<typeof ask>[] = []
    const probes: ReturnType<typeof ask>[] = []
    const clock = setInterval(() => {
      answers.push(ask(asked[answers.length % asked.length]!))
      if (answers.length % 50 === 1) probes.push(ask('/healthz'), ask('/readyz'))
    }, everyMs)
    await vi.waitUntil(() => answers.length >= requests, { timeout: 90_000, interval: 20 })
    clearInterval(clock)
    // the database still hangs: requests that waited for it would never end
    const during = await Promise.all(answers)
    const healthAnswers = await Promise.all(probes)
    signal('SIGCONT')
    expect(end).toBeNull()
    for (const path of ['/api/deals?limit=5', '/api/deals/search?limit=5', '/readyz', '/deals'])
      await vi.waitUntil(async () => (await ask(path)).status === 200, { timeout: 90_000, interval: 25 })

    expect(during.filter(({ status }) => status !== 503)).toEqual([])
    expect(new Set(during.map(({ path }) => path))).toEqual(new Set(asked))
    // pages send Retry-After too, and caches must not store the error
    expect(during.filter(({ after, cacheControl }) => !(after > 0 && cacheControl === 'no-store'))).toEqual([])
    for (const { path, status, after } of healthAnswers) {
      expect(status, path).toBe(path === '/healthz' ? 200 : 503)
      if (status === 503) expect(after).toBeGreaterThan(0)
    }
    expect(new Set(healthAnswers.map(({ path }) => path))).toEqual(new Set(['/healthz', '/readyz']))
    // it stays available
    for (let n = 0; n < 40; n++) expect((await ask(paths[0]!)).status).toBe(200)
  },
)
