import { readdirSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from './start-app.ts'

let app: TestApp
let publicPages: string[]
/** Pages whose documents hold a whole day of the programme. */
let programmePages: string[]
const plainPages = ['/help', '/learn-more', '/terms', '/privacy', '/map-data']

beforeAll(async () => {
  // on Saturday evening: at night the list of deals is 130 bytes longer and would not fit into one round trip
  app = await startTestApp({ demo: true, pages: true })
  const [deal] = (await (await fetch(`${app.url}/api/deals?limit=1`)).json()) as Record<string, string>[]
  const [topic] = (await (await fetch(`${app.url}/api/forum/topics?limit=1`)).json()) as Record<string, string>[]
  const [event] = (await (await fetch(`${app.url}/api/events?limit=1`)).json()) as Record<string, string>[]
  publicPages = [
    '/',
    '/deals',
    '/business',
    '/contact',
    `/deal/${deal!['deal_id']}`,
    `/business/${deal!['business_id']}`,
    '/forum',
    '/forum/help',
    `/topic/${topic!['topic_id']}`,
  ]
  programmePages = ['/events', `/event/${event!['event_id']}`]
})
afterAll(() => app.close())

const text = async (path: string, language = 'en') =>
  (await fetch(app.url + path, { headers: { 'accept-language': language } })).text()

/** Compressed size of a file in kB, without headers. */
const sent = new Map<string, Promise<{ body: number; headers: number }>>()
async function sentKb(path: string): Promise<number> {
  if (!sent.has(path)) sent.set(path, sentBytes(path))
  return (await sent.get(path)!).body / 1000
}

const filesOf = (html: string) => [...html.matchAll(/<link rel="later"[^>]* href="([^"]+)"/g)].map(([, href]) => href!)
const scriptsIn = (html: string) => [...html.matchAll(/<script(?![^>]*ld\+json)[^>]*>([^]*?)<\/script>/g)]

describe('what a page sends to a phone', () => {
  it('has at most 150 kB of JavaScript (F1), requested all at once, with the texts of its language', async () => {
    for (const path of [...publicPages, ...programmePages]) {
      for (const language of ['en', 'de', 'fr']) {
        const html = await text(path, language)
        const files = filesOf(html)
        const kb = await Promise.all(files.map(sentKb))
        expect(
          kb.reduce((sum, each) => sum + each, 0),
          path,
        ).toBeLessThanOrEqual(150)
        expect(files.length, path).toBeLessThanOrEqual(30)
        // every script that another one imports is in the list
        const inside = await Promise.all(files.map((file) => text(file)))
        const asked = inside.flatMap((code) =>
          [...code.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)].map(([, name]) => `/assets/${name}`),
        )
        expect(
          [...new Set(asked)].filter((file) => !files.includes(file)),
          path,
        ).toEqual([])
        const loaders = inside.flatMap((code) => [
          ...code.matchAll(new RegExp(`\\b${language}:\\(\\)=>[^,}]*?import\\(["'\`]\\./([\\w.-]+\\.js)`, 'g')),
        ])
        const texts = loaders.map(([, name]) => `/assets/${name}`)
        // the long texts of information pages are not part of other pages
        expect(
          texts.filter((file) => !files.includes(file) && !file.includes(`/${language}-`)),
          path,
        ).toEqual([])
      }
    }
  })

  it('lets no script compete with content for the network', async () => {
    for (const path of publicPages) {
      const html = await text(path)
      expect(html, path).not.toContain('rel="modulepreload"')
      expect(html, path).not.toMatch(/<script[^>]* src=/)
      const modules = scriptsIn(html).filter(([, code]) => /^\s*import[\s"']/.test(code!))
      expect(modules.map(([tag]) => / type="(\w+)"/.exec(tag)?.[1])).toEqual(['later'])
      // links and imports of the router are deferred, and nothing else is
      const files = filesOf(html)
      expect(files).toEqual(
        expect.arrayContaining([...modules[0]![1]!.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file)),
      )
      expect(html.match(/="later"/g), path).toHaveLength(files.length + 1)
    }
  })

  it('has two fonts of at most 45 kB together', async () => {
    for (const path of [...publicPages, ...plainPages]) {
      const fonts = [...(await text(path)).matchAll(/<link rel="preload" as="font"[^>]* href="([^"]+)"/g)]
      expect(fonts.length, path).toBe(2)
      const kb = await Promise.all(fonts.map(([, href]) => sentKb(href!)))
      expect(kb[0]! + kb[1]!).toBeLessThanOrEqual(45)
    }
  })

  it('has a document and a style sheet that each hardly need more than one round trip (14,600 bytes with headers)', async () => {
    for (const path of [...publicPages, ...plainPages, '/dealsmap']) {
      const html = await text(path)
      const [, style] = /<link[^>]*? rel="stylesheet"[^>]*? href="([^"]+)"/.exec(html)!
      for (const file of [path, style!]) {
        const { body, headers } = await sentBytes(file)
        // one sheet for all rooms; without those of merchants and staff it would not be smaller
        expect(body + headers, file).toBeLessThanOrEqual(file === path ? 15_100 : 16_500)
      }
    }
  })
})

describe('an information page', () => {
  it('has one small script and nothing of the app (F1)', async () => {
    for (const path of plainPages) {
      const html = await text(path)
      const scripts = scriptsIn(html)
      expect(scripts.length, path).toBe(1)
      expect(brotliCompressSync(scripts[0]![1]!).length, path).toBeLessThanOrEqual(2000)
      expect(html, path).not.toMatch(/type="(?:module|later)"|rel="(?:modulepreload|later)"/)
    }
  })
})

describe('the server', () => {
  it('renders with the production version of React, whatever NODE_ENV says', () => {
    const folder = new URL('../build/server/', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
    expect(files).toContain('index.js')
    for (const file of files) {
      const code = readFileSync(new URL(file, folder), 'utf8')
      expect(code, file).not.toContain('NODE_ENV')
      // a warning that only the development version of React has
      expect(code, file).not.toContain('Each child in a list')
    }
  })
})

/** Bytes of a compressed answer. */
async function sentBytes(path: string): Promise<{ body: number; headers: number }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(app.url + path, { headers: { 'accept-encoding': 'br' } }, resolve).on('error', reject)
  })
  expect(answer.statusCode, path).toBe(200)
  let body = 0
  for await (const chunk of answer) body += (chunk as Buffer).length
  return { body, headers: answer.rawHeaders.reduce((sum, each) => sum + each.length + 2, 0) }
}
