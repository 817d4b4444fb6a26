import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { serveBuiltFiles } from './built-files.ts'

const folder = 'build/client/assets'
let app: TestApp
let file: string

beforeAll(async () => {
  app = await startTestApp({ pages: true })
  const files = await readdir(folder)
  file = files.find((name) => name.endsWith('.js') && files.includes(`${name}.br`))!
})
afterAll(() => app.close())

/** The answer with its body still compressed. */
const asked = (path: string, accepted: string | null, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const headers = accepted === null ? {} : { 'accept-encoding': accepted }
    request(`${app.url}${path}`, { method, headers }, async (response) => {
      const body = Buffer.concat(await response.toArray())
      resolve({ status: response.statusCode!, headers: response.headers, body })
    })
      .on('error', reject)
      .end()
  })

it.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, GZIP;q=0.5', 'gzip', gunzipSync],
  ['br;q=0.5', 'br', brotliDecompressSync],
  ['identity', undefined, (bytes: Buffer) => bytes],
  [null, undefined, (bytes: Buffer) => bytes],
] as const)(
  'a browser that accepts %s gets a file as %s, complete, and may cache it',
  async (accepted, encoding, unpack) => {
    // the second time it comes from memory
    for (const _ of [1, 2]) {
      const { status, headers, body } = await asked(`/assets/${file}`, accepted)
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': String(body.length),
      })
      expect(headers['content-encoding']).toBe(encoding)
      expect(String(headers['vary'])).toMatch(/accept-encoding/i)
      expect(unpack(body).equals(await readFile(join(folder, file)))).toBe(true)
    }
  },
)

it('every file of the build is served, also to HEAD requests', async () => {
  const files = (await readdir(folder)).filter((name) => !/\.(br|gz)$/.test(name))
  expect(files.length).toBeGreaterThan(100)
  for (const name of files) {
    const { status, body, headers } = await asked(`/assets/${name}`, null, 'HEAD')
    expect({ status, sent: body.length }, name).toEqual({ status: 200, sent: 0 })
    expect(headers['content-type'], name).toMatch(
      /^(text\/(javascript|css); charset=utf-8|image\/svg\+xml|font\/woff2)$/,
    )
  }
})

it.each(['.br', '.gz', '/', '%00', '?x/../../package.json'])(
  'nothing beside built files is served: %s',
  async (end) => {
    const { status } = await asked(`/assets/${file}${end}`, 'br')
    expect(status).toBe(end.startsWith('?') ? 200 : 404)
  },
)

it('a file that another build has removed meanwhile is not found, unless it is in memory', async () => {
  const own = await mkdtemp(join(tmpdir(), 'built-'))
  for (const name of ['known.js', 'gone.js']) await writeFile(join(own, name), '1')
  const server = fastify()
  await serveBuiltFiles(server, own)
  const statusOf = async (name: string) => (await server.inject(`/assets/${name}`)).statusCode
  expect(await statusOf('known.js')).toBe(200)
  await rm(own, { recursive: true })
  expect([await statusOf('known.js'), await statusOf('gone.js')]).toEqual([200, 404])
})
