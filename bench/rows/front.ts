import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from '../../scripts/find-chromium.ts'
import { measureFilters, measurePage } from '../browser.ts'
import { measureNow } from '../now.ts'
import { startFlags, startServer } from '../servers.ts'
import { inlineScriptKb, installedMb, scriptsOf } from '../weights.ts'
import { plain, type Row } from './row.ts'

export function weightRows(root: string): Row[] {
  const rows: Row[] = []
  for (const [page, route] of [
    ['home', 'screens/HomeScreen'],
    ['deals', 'deals'],
  ] as const) {
    const { kb, files } = scriptsOf(root, route)
    rows.push(plain(`F1 JavaScript of ${page}, brotli`, `${kb.toFixed(0)} kB in ${files} files`, '≤ 135 kB', kb <= 135))
  }
  const mb = installedMb(root)
  rows.push(
    plain(
      'P9 node_modules of a production install, without Node and PostgreSQL',
      `${mb.toFixed(0)} MB`,
      '≤ 110 MB',
      mb <= 110,
    ),
  )
  return rows
}

/** In a real browser, on the demo festival. */
export async function nowRows(runs: number): Promise<Row[]> {
  const chromium = findChromium()
  if (!chromium) {
    console.log('There is no browser, so nothing was measured.')
    return []
  }
  const rows: Row[] = []
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-now-'))
  const app = await startServer(
    'build/app/main.mjs',
    { DATA_DIR: folder, DATABASE_URL: '' },
    { probe: '/readyz', nodeArgs: startFlags },
  )
  try {
    for (const { way, taps, ms, first, isUsable } of await measureNow(chromium, app.base, runs))
      rows.push(
        plain(
          `Cold start on a throttled phone to a running deal near me: ${way}`,
          `${taps} ${taps === 1 ? 'tap' : 'taps'}, ${(ms / 1000).toFixed(1)} s (first: ${first}${isUsable ? '' : ', not usable'})`,
          '≤ 2 taps, ≤ 3 s',
          taps <= 2 && ms <= 3000 && isUsable,
        ),
      )
    return rows
  } finally {
    await app.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Without a browser there are none. */
export async function frontRows(): Promise<Row[]> {
  const chromium = findChromium()
  if (!chromium) return []
  const rows: Row[] = []
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-front-'))
  const app = await startServer(
    'build/app/main.mjs',
    { DATA_DIR: folder, DATABASE_URL: '' },
    { probe: '/readyz', nodeArgs: startFlags },
  )
  try {
    const first = async (path: string) =>
      ((await (await fetch(app.base + path)).json()) as Record<string, string>[])[0]!
    const { deal_id, business_id } = await first('/api/deals?limit=1')
    const { event_id } = await first('/api/events?limit=1')
    const { topic_id } = await first('/api/forum/topics?limit=1')
    const programme = ['/events', `/event/${event_id}`, '/forum', `/topic/${topic_id}`]
    const merchants = [`/business/${business_id}`, '/business']
    const pages = ['/', '/deals', `/deal/${deal_id}`, ...merchants, '/help', '/contact', ...programme]
    const again = ['/', '/deals', '/events']
    for (const [path, withWorker] of [
      ...pages.map((path) => [path, false] as const),
      ...again.map((path) => [path, true] as const),
    ]) {
      const figures = await measurePage(chromium, app.base + path, { withWorker })
      const { performance, accessibility, bestPractices, seo, lcpMs, tbtMs, cls, failed } = figures
      rows.push(
        plain(
          `F2 ${path.replace(/[\da-f-]{36}/, '…')}${withWorker ? ' with the service worker' : ''}: score, accessibility, best practices, SEO; LCP, TBT, CLS`,
          `${performance}, ${accessibility}, ${bestPractices}, ${seo}; ${(lcpMs / 1000).toFixed(2)} s, ${tbtMs.toFixed(0)} ms, ${cls.toFixed(3)}${failed.length > 0 ? ` (${failed.join(', ')})` : ''}`,
          '≥ 97, 100, 100, 100; ≤ 1.5 s, ≤ 80 ms, ≤ 0.02',
          performance >= 97 &&
            Math.min(accessibility, bestPractices, seo) === 100 &&
            lcpMs <= 1500 &&
            tbtMs <= 80 &&
            cls <= 0.02,
        ),
      )
    }
    const inline = inlineScriptKb(await (await fetch(`${app.base}/help`)).text())
    rows.push(plain('F1 JavaScript of an information page, brotli', `${inline.toFixed(1)} kB`, '≤ 15 kB', inline <= 15))
    for (const [filter, ms] of Object.entries(await measureFilters(chromium, app.base)))
      rows.push(
        plain(
          `F6 from a click on ${filter} to the painted list, on a phone`,
          `${ms.toFixed(0)} ms`,
          '≤ 200 ms',
          ms <= 200,
        ),
      )
    return rows
  } finally {
    await app.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
