import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { loadSharp } from '../../kit/server/uploads.ts'
import type { Config } from '../config.ts'
import { page } from '../../site-map.ts'
import { chosenLocale, locales, type Locale } from './languages.ts'
import { texts } from './texts.ts'

/**
 * Served instead of the service worker when it is switched off: deletes all caches and unregisters itself. Also at each message,
 * because a page may have registered it again, and every page sends its worker one.
 */
const leavingWorker = `const leave = (event) =>
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => registration.unregister()),
  )
addEventListener('install', () => skipWaiting())
addEventListener('activate', leave)
addEventListener('message', leave)
`

const sizes = { '/icon-192.png': 192, '/icon-512.png': 512, '/icon-maskable.png': 512, '/apple-touch-icon.png': 180 }

/**
 * Serves the parts of an installable site that opens without a network: the service worker (never cached, so that an update or its
 * end reaches everybody), the manifest, and the favicon as icons in the sizes of phones.
 */
export async function serveOffline(app: FastifyInstance, clientDir: string, { serviceWorker, festival }: Config) {
  const file = join(clientDir, 'sw.js')
  const worker = serviceWorker && existsSync(file) ? await readFile(file, 'utf8') : leavingWorker
  app.get('/sw.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(worker),
  )

  const manifests = new Map(locales.map((locale) => [locale, JSON.stringify(manifestOf(festival.name, locale))]))
  app.get('/manifest.webmanifest', ({ headers }, reply) =>
    reply
      .type('application/manifest+json')
      .header('cache-control', 'private, max-age=3600')
      .header('vary', 'accept-language, cookie')
      .send(manifests.get(chosenLocale(headers))),
  )

  const favicon = await readFile(join(clientDir, 'favicon.svg'), 'utf8')
  const made = new Map<string, Promise<Buffer>>()
  for (const [path, size] of Object.entries(sizes))
    app.get(path, async (_request, reply) => {
      if (!made.has(path))
        made.set(
          path,
          pngOf(path.startsWith('/icon-1') || path === '/icon-512.png' ? favicon : filled(favicon, path), size),
        )
      return reply
        .type('image/png')
        .header('cache-control', 'public, max-age=86400')
        .send(await made.get(path)!)
    })
}

function manifestOf(name: string, locale: Locale) {
  const icon = (src: keyof typeof sizes, purpose: string) => ({
    src,
    sizes: `${sizes[src]}x${sizes[src]}`,
    type: 'image/png',
    purpose,
  })
  return {
    id: '/',
    lang: locale,
    name,
    short_name: name.slice(0, 12),
    description: texts.say(locale, 'manifest.description'),
    start_url: page.home,
    scope: '/',
    display: 'standalone',
    background_color: '#fbf6ee',
    theme_color: '#123a5a',
    icons: [icon('/icon-192.png', 'any'), icon('/icon-512.png', 'any'), icon('/icon-maskable.png', 'maskable')],
    shortcuts: [
      { name: texts.say(locale, 'manifest.mySchedule'), url: page.mySchedule },
      { name: texts.say(locale, 'manifest.myCodes'), url: page.myCodes },
    ],
  }
}

/** The favicon without round corners, since phones cut their own. A maskable icon is smaller, within the circle that masks leave. */
function filled(favicon: string, path: string): string {
  const square = favicon.replace(' rx="6"', '')
  return path === '/icon-maskable.png' ? square.replace('<g ', '<g transform="translate(3.2 3.2) scale(.8)" ') : square
}

async function pngOf(svg: string, size: number): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(Buffer.from(svg), { density: (72 * size) / 32 })
    .resize(size, size)
    .png()
    .toBuffer()
}
