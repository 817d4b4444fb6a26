import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { writeMachines } from '../../scripts/machine-files.ts'
import { freePort } from '../../test/free-port.ts'
import { until } from './until.ts'
import { startUnit } from './units.ts'

/** What a cluster takes over from one server. */
export interface Moved {
  dump: string
  secretKey: string
}

/**
 * The files of one server, as they are: its app with the embedded database behind HAProxy. With `client`, the programs of PostgreSQL 18,
 * it is left with a dump, as for a move to a cluster.
 */
export async function measureOneServer(client: string | null) {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-one-'))
  const [appPort, webPort, plainPort] = [await freePort(), await freePort(), await freePort()]
  const base = `http://127.0.0.1:${webPort}`
  const secretKey = randomBytes(24).toString('hex')
  chmodSync(folder, 0o755)
  writeMachines(
    {
      ONE_SERVER: 'server1=127.0.0.1',
      PUBLIC_URL: base,
      WEB_BIND: `127.0.0.1:${webPort}`,
      PLAIN_BIND: `127.0.0.1:${plainPort}`,
      WEB_CONNECTIONS: '2000',
      TRUST_PROXY: 'on',
      SECRET_KEY: secretKey,
      APP_PORT: String(appPort),
      APP_FOLDER: new URL('../..', import.meta.url).pathname.replace(/\/$/, ''),
      APP_USER: userInfo().username,
      SMTP_URL: '',
      MAIL_FROM: '',
      ROOT: join(folder, '${MACHINE}'),
    },
    folder,
  )
  const root = join(folder, 'server1')
  writeFileSync(join(root, 'etc/rheinklang/own.env'), 'DEMO_DATA=on\nLOG_LEVEL=warn\n')
  const began = performance.now()
  const services = ['rheinklang.service', 'rheinklang-haproxy.service'].map((unit) => startUnit(root, unit))
  try {
    const statusOf = (url: string) =>
      fetch(url, { redirect: 'manual' }).then(
        async (answer) => (await answer.arrayBuffer(), answer.status),
        () => 0,
      )
    await until('one server', async () => (await statusOf(`${base}/readyz`)) === 200)
    const readyS = (performance.now() - began) / 1000
    const [home, plain] = [await statusOf(`${base}/`), await statusOf(`http://127.0.0.1:${plainPort}/`)]
    const moved: Moved | null = client ? { dump: await leave(base, root, client), secretKey } : null
    const stopping = performance.now()
    await services[0]!.stop()
    return { readyS, home, plain, stoppedS: (performance.now() - stopping) / 1000, moved }
  } finally {
    await Promise.all(services.map((each) => each.stop()))
    // the dump, elsewhere, goes with the cluster
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** Who signed up on one server, and logs in at the cluster. */
export const lena = { email: 'lena@example.org', password: 'a long walk by the Rhine' }

async function leave(base: string, root: string, client: string): Promise<string> {
  const signedUp = await fetch(`${base}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ display_name: 'Lena', ...lena, accepts_terms: true }),
  })
  if (!signedUp.ok) throw new Error(`The signup was answered ${signedUp.status}.`)
  const data = join(root, 'var/lib/rheinklang')
  const dump = join(mkdtempSync(join(tmpdir(), 'rheinklang-dump-')), 'festival.dump')
  execFileSync(join(client, 'pg_dump'), ['-Fc', '-f', dump, '-h', join(data, 'run'), '-U', 'rheinklang', 'rheinklang'])
  return dump
}
