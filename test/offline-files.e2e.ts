import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { appForTest, startTestApp, type TestApp } from './start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ pages: true })
})
afterAll(() => app.close())

describe('the service worker', () => {
  it('is not cached, may load only from its own site, and lists existing files', async () => {
    const answer = await fetch(`${app.url}/sw.js`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/)
    expect(answer.headers.get('content-security-policy')).toContain("connect-src 'self'")
    const files = [...new Set((await answer.text()).match(/\/assets\/[\w.-]+/g))]
    expect(files.length).toBeGreaterThan(50)
    for (const file of files) expect((await fetch(app.url + file, { method: 'HEAD' })).status, file).toBe(200)
    expect(files.filter((file) => /server-.*\.css$/.test(file))).toEqual([])
  })

  it('makes phones load at most 575 kB of the app', async () => {
    const text = await (await fetch(`${app.url}/sw.js`)).text()
    let bytes = 0
    for (const file of new Set(text.match(/\/assets\/[\w.-]+/g))) {
      const answer = await fetch(app.url + file, { headers: { 'accept-encoding': 'br' } })
      bytes += Number(answer.headers.get('content-length'))
      await answer.body?.cancel()
    }
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThanOrEqual(575_000)
  })

  it('removes itself and its caches when the operator has switched it off', async () => {
    const off = await appForTest({ pages: true, env: { SERVICE_WORKER: 'off' } })
    const text = await (await fetch(`${off.url}/sw.js`)).text()
    expect(text).toContain('registration.unregister()')
    expect(text).toContain('caches.delete')
    expect(text).not.toContain("'fetch'")
  })
})

describe('the manifest', () => {
  it('names the festival, and icons that have the stated sizes', async () => {
    const answer = await fetch(`${app.url}/manifest.webmanifest`)
    expect(answer.headers.get('content-type')).toMatch(/^application\/manifest\+json/)
    const { name, icons, display } = (await answer.json()) as {
      name: string
      display: string
      icons: { src: string; sizes: string }[]
    }
    expect([name, display]).toEqual(['Rheinklang', 'standalone'])
    const touch = { src: '/apple-touch-icon.png', sizes: '180x180' }
    for (const { src, sizes } of [...icons, touch]) {
      const picture = await fetch(app.url + src)
      expect(picture.headers.get('content-type'), src).toBe('image/png')
      const { width, height } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata()
      expect(`${width}x${height}`, src).toBe(sizes)
    }
  })
})
