import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { whileReading } from '../../kit/server/database.ts'
import { escapeHtml } from '../../kit/server/mail-html.ts'
import type { OpenRooms, SitemapEntry } from '../../kit/server/room.ts'
import { notFound, Refusal } from '../../kit/shared/refusal.ts'
import { page } from '../../site-map.ts'
import type { Config } from '../config.ts'
import { lastChanged } from '../screens/info/facts.ts'
import { originOf } from './pages.ts'

/** Limit of the sitemap format. */
const urlsInPart = 50_000

/** Addresses that are no pages, and private pages of the app itself. Rooms name theirs in `privatePages`. */
const notForCrawlers = ['/api/', '/preferences', page.dashboard]

/** Serves `/robots.txt` and `/sitemap.xml`, an index of several parts: one for single pages, one for each long list of pages. */
export function serveSitemap(app: FastifyInstance, { config, open }: { config: Config; open: OpenRooms }) {
  const { pages, shelves } = open.sitemap()
  const listed = (name: string, limit: number) => whileReading(() => shelves[name]!(limit), { mayLag: true })

  app.get('/robots.txt', (request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        `User-agent: *\nAllow: /\n${[...notForCrawlers, ...open.privatePages()].map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${originOf(request, config)}/sitemap.xml\n`,
      ),
  )
  app.get('/sitemap.xml', async (request, reply) => {
    const paths = ['/sitemap-pages.xml']
    // the format allows no empty part
    for (const name of Object.keys(shelves)) if ((await listed(name, 1)).length > 0) paths.push(`/sitemap-${name}.xml`)
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
    const name = request.params.part
    const entries = Object.hasOwn(shelves, name) ? await listed(name, urlsInPart) : []
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
      return `<${item}><loc>${escapeHtml(origin + path)}</loc>${lastmod}</${item}>\n`
    })
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${items.join('')}</${root}>\n`,
      )
  }
}

/** Pages of the app itself; rooms name theirs in their manifests. */
const ownPages: SitemapEntry[] = [
  { path: page.home },
  { path: page.learnMore },
  { path: page.help },
  { path: page.terms, changed: lastChanged },
  { path: page.privacy, changed: lastChanged },
]
