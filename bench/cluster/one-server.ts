import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { request } from 'node:https'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { writeMachines } from '../../scripts/machine-files.ts'
import { freePort } from '../../test/free-port.ts'
import { until } from './until.ts'
import { startUnit, verifyUnits } from './units.ts'

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
  const base = `https://127.0.0.1:${webPort}`
  const secretKey = randomBytes(24).toString('hex')
  chmodSync(folder, 0o755)
  const certificate = certificateIn(folder)
  writeMachines(
    {
      ONE_SERVER: 'server1=127.0.0.1',
      PUBLIC_URL: base,
      WEB_BIND: `127.0.0.1:${webPort} ssl crt ${certificate.file} alpn h2,http/1.1`,
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
  verifyUnits(root)
  writeFileSync(join(root, 'etc/rheinklang/own.env'), 'DEMO_DATA=on\nLOG_LEVEL=warn\n')
  const began = performance.now()
  const services = ['rheinklang.service', 'rheinklang-haproxy.service'].map((unit) => startUnit(root, unit))
  try {
    const statusOf = (path: string) => ask(base + path, certificate.ca).catch(() => 0)
    await until('one server', async () => (await statusOf('/readyz')) === 200)
    const readyS = (performance.now() - began) / 1000
    const home = await statusOf('/')
    const plain = (await fetch(`http://127.0.0.1:${plainPort}/`, { redirect: 'manual' })).status
    const moved: Moved | null = client ? { dump: await leave(base, certificate.ca, root, client), secretKey } : null
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

async function leave(base: string, ca: string, root: string, client: string): Promise<string> {
  const signedUp = await ask(`${base}/api/auth/signup`, ca, { display_name: 'Lena', ...lena, accepts_terms: true })
  if (signedUp !== 201) throw new Error(`The signup was answered ${signedUp}.`)
  const data = join(root, 'var/lib/rheinklang')
  const dump = join(mkdtempSync(join(tmpdir(), 'rheinklang-dump-')), 'festival.dump')
  execFileSync(join(client, 'pg_dump'), ['-Fc', '-f', dump, '-h', join(data, 'run'), '-U', 'rheinklang', 'rheinklang'])
  return dump
}

/** Certificate and key of the site in one file, as HAProxy wants them. */
function certificateIn(folder: string): { file: string; ca: string } {
  const file = join(folder, 'site.pem')
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const named = [
    '-subj',
    '/CN=127.0.0.1',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-keyout',
    file,
    '-out',
    `${file}.crt`,
  ]
  execFileSync('openssl', [...made, ...named], { stdio: 'ignore' })
  const ca = readFileSync(`${file}.crt`, 'utf8')
  writeFileSync(file, ca, { flag: 'a' })
  return { file, ca }
}

/** @returns the status */
function ask(url: string, ca: string, body?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = body ? { 'content-type': 'application/json' } : {}
    const asked = request(url, { ca, method: body ? 'POST' : 'GET', headers, timeout: 15_000 }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode!))
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', reject)
    asked.end(body && JSON.stringify(body))
  })
}
