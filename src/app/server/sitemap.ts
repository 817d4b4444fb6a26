import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { whileReading } from '../../kit/server/database.ts'
import type { Clock } from '../../kit/server/clock.ts'
import type { OpenRooms, SitemapEntry } from '../../kit/server/room.ts'
import { isUuid } from '../../kit/shared/input.ts'
import { notFound, Refusal } from '../../kit/shared/refusal.ts'
import { page } from '../../site-map.ts'
import type { Config } from '../config.ts'
import { lastChanged } from '../screens/info/facts.ts'
import { originOf } from './pages.ts'

/** URLs of one part. */
const urlsInPart = 5000
const keptMinutes = 10
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** What is nobody's page, and the roof's own private ones; each room names its own (`privatePages`). */
const notForCrawlers = ['/api/', '/preferences', page.dashboard]

/**
 * `/robots.txt` and `/sitemap.xml`: an index over parts of 5,000 URLs. A part is named by the id it begins with, so each
 * is one step along an index, however many there are.
 */
export function serveSitemap(
  app: FastifyInstance,
  { config, clock, open }: { config: Config; clock: Clock; open: OpenRooms },
) {
  const { pages, shelves } = open.sitemap()
  const parts = remembered(clock, async () => {
    const found: string[] = []
    for (const [name, shelf] of Object.entries(shelves)) {
      for (let from = await shelf.next(beforeAll, 0); from; from = await shelf.next(from, urlsInPart))
        found.push(`/sitemap-${name}-${from}.xml`)
    }
    return found
  })

  app.get('/robots.txt', (request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        `User-agent: *\nAllow: /\n${[...notForCrawlers, ...open.privatePages()].map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${originOf(request, config)}/sitemap.xml\n`,
      ),
  )
  app.get('/sitemap.xml', async (request, reply) => {
    const paths = ['/sitemap-pages.xml', ...(await whileReading(parts, { mayLag: true }))]
    return sendXml(
      request,
      reply,
      'sitemapindex',
      'sitemap',
      paths.map((path) => ({ path })),
    )
  })
  app.get('/sitemap-pages.xml', (request, reply) => sendXml(request, reply, 'urlset', 'url', [...ownPages, ...pages]))
  app.get<{ Params: { part: string } }>('/sitemap-:part.xml', async (request, reply) => {
    const [, name = '', from = ''] = /^(\w+)-([0-9a-f-]{36})$/.exec(request.params.part) ?? []
    const entries =
      Object.hasOwn(shelves, name) && isUuid(from)
        ? await whileReading(() => shelves[name]!.list(from, urlsInPart), { mayLag: true })
        : []
    // the format knows no empty part
    if (entries.length === 0) throw new Refusal(notFound)
    return sendXml(request, reply, 'urlset', 'url', entries)
  })

  function sendXml(
    request: FastifyRequest,
    reply: FastifyReply,
    root: 'sitemapindex' | 'urlset',
    item: 'sitemap' | 'url',
    entries: SitemapEntry[],
  ) {
    const origin = originOf(request, config)
    const items = entries.map(({ path, changed }) => {
      const lastmod =
        changed === undefined ? '' : `<lastmod>${changed instanceof Date ? changed.toISOString() : changed}</lastmod>`
      return `<${item}><loc>${escaped(origin + path)}</loc>${lastmod}</${item}>\n`
    })
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${items.join('')}</${root}>\n`,
      )
  }
}

/** Pages of the roof; rooms name theirs in their manifests. */
const ownPages: SitemapEntry[] = [
  { path: page.home },
  { path: page.learnMore },
  { path: page.help },
  { path: page.terms, changed: lastChanged },
  { path: page.privacy, changed: lastChanged },
]

/** Where the parts begin moves slowly, and finding out passes over every row: asked at most once in ten minutes. */
function remembered<T>(clock: Clock, find: () => Promise<T>): () => Promise<T> {
  let last: { until: number; found: Promise<T> } | null = null
  return () => {
    const now = clock.now().epochMilliseconds
    if (!last || now >= last.until) {
      const fresh = { until: now + keptMinutes * 60_000, found: find() }
      last = fresh
      fresh.found.catch(() => {
        if (last === fresh) last = null
      })
    }
    return last.found
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => entities[letter]!)
