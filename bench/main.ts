import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../src/kit/server/database.ts'
import * as store from '../src/deals/server/store.ts'
import { measureAccounts } from './accounts.ts'
import { byTurns, cpuRatio, medianOf, requestRatio } from './beside.ts'
import { measureEvents } from './events.ts'
import { measureFewConnections } from './few-connections.ts'
import { measureForum, nodeBbMs, nodeBbTimesBare } from './forum.ts'
import { measurePosts } from './forum-posts.ts'
import { measureCluster } from './cluster.ts'
import { isBounded, measureCostly, tellCostly } from './costly.ts'
import { crowdHead, lineOf, measureCrowd } from './crowd.ts'
import { places, wanted } from './asked.ts'
import { generator, load, residentMb, type Figure } from './load.ts'
import { parallelLogins } from './logins.ts'
import { overload } from './overload.ts'
import { measureMap } from './map.ts'
import { measureAnalytics, measureCounting, measureCreateDeal, measureWrites } from './merchants.ts'
import { measureNow } from './now.ts'
import { measureFailovers, measureStall } from './outages.ts'
import { measurePayments } from './payments.ts'
import { measurePictures } from './pictures.ts'
import { measureLastItems } from './redeem.ts'
import { measureReminders } from './reminders.ts'
import { measureColdStart } from './offline.ts'
import { measureRedis, redisServer } from './redis.ts'
import { measureRolling, releaseBefore } from './rolling.ts'
import { recordSql, withDeals } from './recorded-sql.ts'
import { measureStreams } from './streams.ts'
import { findChromium, presentChromium } from '../scripts/find-chromium.ts'
import { measureFilters, measurePage } from './browser.ts'
import { inlineScriptKb, installedMb, scriptsOf } from './weights.ts'
import { connections, measureViews } from './views.ts'
import { timeSearchSql } from './search-sql.ts'
import { startServer, type RunningServer } from './servers.ts'
import { sizesTable } from './sizes.ts'
import { buildTown, buildTownAt, type Town } from './town.ts'

/**
 * `npm run bench` measures against ceilings that are started in the same run: a bare server doing the same work. With
 * `--quick` at 1k and 10k deals in a few minutes; otherwise also at 100k, with `--all` at 1M, or at `--sizes=10000,…`.
 * Writes docs/performance.md unless `--dry`. `--front` measures what the browser gets alone, `--api` the server alone, `--map` the map, `--accounts` signing up and in,
 * `--pictures` uploads, `--connections` a database without a free connection, `--redeem` the last item of a deal, `--merchants` what merchants wait for (`--analytics`, `--counting`, `--writes`,
 * `--create-deal`: one of it; writes nothing), `--reminders` 2,000 reminders that are due at once over 4 instances (or `--due=N`, `--instances=N`, `--kills=N` times kill -9), `--streams` what reaches 500 open streams over 2 instances and what 5,000 cost (or `--open=N`, `--idle=N`),
 * `--offline` a cold start of My Schedule without a network (or `--runs=N`), `--crowd` a festival evening of 5,000 visitors (or `--visitors=N`) who each ask what nobody asked
 * before, where wanted beside another checkout (`--beside=PATH`), `--outages` a database that waits or fails over (`--script=PATH`:
 * of another checkout's src/app/main.ts), `--cluster` a cluster made of the files of deploy/ under faults (`--faults=NAME,…`, `--times=N`, `--open=STREAMS`, `--pool-mode=transaction`; writes nothing), `--forum` the forum (2,000 topics, 20,000 posts, or `--posts=N`; writes nothing), `--posting` 100 posts a second (or `--seconds=N`),
 * `--now` the way to a deal that can be used now, near me (`--runs=N`; writes nothing),
 * `--events` a real programme of 1,007 events (writes nothing), `--payments` 1,000 shuffled histories of payments (or `--shuffles=N`) and
 * 50 clicks at once over two instances (writes nothing), `--views` a crowd that opens one deal (writes nothing), `--redis` 500 open
 * streams (or `--listeners=N`) while Redis, an instance and the primary go and come (writes nothing), `--rolling` two instances of the release
 * before (`--from=COMMIT`; `--from=this`: of this version) replaced by this version one after the other (writes nothing). Figures of two runs are not to be compared, only ratios.
 */
const quick = process.argv.includes('--quick')
/** Only what the browser gets; writes nothing. */
const front = process.argv.includes('--front')
const all = process.argv.includes('--all')
/** Only the server's rows P1 to P8, without a browser, and nothing is written. */
const onlyApi = process.argv.includes('--api')
/** Only the map, and nothing is written. */
const onlyMap = process.argv.includes('--map')
/** Only accounts: what timing tells of an address, and races of one address over two instances. Nothing is written. */
const onlyAccounts = process.argv.includes('--accounts')
/** Only uploads, and nothing is written. */
const onlyPictures = process.argv.includes('--pictures')
const isPart = front || onlyApi || onlyMap || onlyAccounts || onlyPictures
const said = (name: string) => process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3)
const everySize = [1_000, 10_000, 100_000, 1_000_000]
const sizes = said('sizes')?.split(',').map(Number) ?? everySize.slice(0, quick ? 2 : all ? 4 : 3)
const seconds = 3
/** Of P6. */
const freshPairs = 9

interface Row {
  what: string
  ours: string
  ceiling: string
  ratio: string
  bar: string
  met: boolean | null
}
/** As `npm start` runs it. */
const startFlags = ['--max-old-space-size=768', '--max-semi-space-size=16']
const rows: Row[] = []
const root = new URL('..', import.meta.url).pathname

execFileSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: root, stdio: 'inherit' })
const latencies: Record<string, number[]> = { list: [], item: [], search: [] }
const searchMs: { size: number; ours: number; reference: number; count: number }[] = []

if (process.argv.includes('--outages')) {
  await outages(said('script') ?? 'src/app/main.ts')
  process.exit()
}
if (process.argv.includes('--cluster')) {
  const episodes = await measureCluster(said('faults')?.split(',') ?? null, {
    times: Number(said('times') ?? 1),
    open: Number(said('open') ?? 5000),
    poolMode: said('pool-mode') === 'transaction' ? 'transaction' : 'session',
  })
  process.exit(episodes === null ? 1 : 0)
}
if (process.argv.includes('--reminders')) {
  console.log(
    await measureReminders(Number(said('due') ?? 2000), Number(said('instances') ?? 4), Number(said('kills') ?? 0)),
  )
  process.exit()
}
if (process.argv.includes('--streams')) {
  console.log(await measureStreams(Number(said('open') ?? 500), Number(said('idle') ?? 5000), 40))
  process.exit()
}
if (process.argv.includes('--offline')) {
  const chromium = presentChromium()
  if (chromium) console.log(await measureColdStart(chromium, Number(said('runs') ?? 7)))
  process.exit()
}
if (process.argv.includes('--payments')) {
  await paying()
  process.exit()
}
if (process.argv.includes('--rolling')) {
  await rolling(said('from') ?? releaseBefore())
  process.exit()
}
if (process.argv.includes('--redis')) {
  await listening(Number(said('listeners') ?? 500))
  process.exit()
}
if (process.argv.includes('--views')) {
  await viewing()
  process.exit()
}
if (process.argv.includes('--redeem')) {
  await lastItems()
  process.exit()
}
if (
  ['merchants', 'analytics', 'counting', 'writes', 'create-deal'].some((part) => process.argv.includes(`--${part}`))
) {
  await forMerchants()
  report(rows, true)
  process.exit()
}
if (process.argv.includes('--crowd')) {
  const crowd = await measureCrowd(quick ? [10_000] : [10_000, 100_000], {
    visitors: Number(said('visitors') ?? 5000),
    beside: said('beside') ?? null,
  })
  console.log(`\n${crowdHead}\n${crowd.map(lineOf).join('\n')}`)
  const evening = crowd.find(({ what, size }) => what === 'the whole evening' && size === 10_000)
  if (evening) console.log(`\nOn paper (docs/operations.md, "Sizes"):\n\n${sizesTable(evening.ours)}`)
  process.exit()
}
if (process.argv.includes('--costly')) {
  await costlySearches()
  report(rows, true)
  process.exit()
}
if (process.argv.includes('--connections')) {
  await fewConnections()
  report(rows, true)
  process.exit()
}
if (process.argv.includes('--posting')) {
  await posting(Number(said('seconds') ?? 30))
  report(rows, true)
  process.exit()
}
if (process.argv.includes('--forum')) {
  await forum(Number(said('posts') ?? 20_000))
  report(rows, true)
  process.exit()
}
if (process.argv.includes('--events')) {
  await programme()
  report(rows, true)
  process.exit()
}
if (process.argv.includes('--now')) {
  await waysToNow(Number(said('runs') ?? 5))
  report(rows, true)
  process.exit()
}
if (onlyAccounts) await signingUpAndIn()
if (onlyPictures || !isPart) await uploading()
if (onlyMap || onlyApi || !isPart) {
  if (!onlyMap) await startUp()
  for (const size of sizes) {
    await measureTown(size)
    // after each town, so that a run which is ended early has told what it knows
    report(onlyMap ? rows : [...rows, ...scaling(), ...weights()])
  }
  if (!onlyMap) rows.push(...scaling())
  if (!onlyMap && !onlyApi && !quick) await costlySearches()
}
if (front || !isPart) {
  rows.push(...weights())
  await frontEnd()
}
report(rows)

async function programme() {
  const found = await measureEvents('src/app/main.ts', presentChromium(), seconds)
  if (!found) return console.log('The programme of 38C3 is not at ../shared/data/schedules, so nothing was measured.')
  const { events, listP95Ms, autoplanMs, grid, calendar } = found
  const { json, xml } = found.faults
  const of = `programme of ${events.toLocaleString('en')} events`
  const ms = (value: number) => `${value.toFixed(0)} ms`
  rows.push(plain(`Events, ${of}: list page from the server, p95`, ms(listP95Ms), '≤ 100 ms', listP95Ms <= 100))
  rows.push(plain('Events: best plan of 60', `${autoplanMs.toFixed(1)} ms`, '≤ 1 s', autoplanMs <= 1000))
  if (grid) {
    const { interactiveMs, longTasks, longestTaskMs, addMs } = grid
    rows.push(
      plain(
        `Events: timetable of ${grid.events}, interactive on a throttled phone`,
        ms(interactiveMs),
        '≤ 2.5 s',
        interactiveMs <= 2500,
      ),
      plain(
        'Events: tasks over 50 ms while it is scrolled',
        `${longTasks}, longest ${ms(longestTaskMs)}`,
        '0',
        longTasks === 0,
      ),
      plain('Events: from the tap to the pressed button', ms(addMs), '≤ 100 ms', addMs <= 100),
    )
  }
  const { ical, khal } = calendar
  rows.push(
    plain(
      'Events: of the calendar, at the start and end of the source by ical.js and by khal',
      khal === null ? `${ical}; khal is not installed` : `${ical} and ${khal}`,
      `${events} each`,
      ical === events && (khal === null || khal === events),
    ),
    plain(
      'Events: faults of our schedule JSON and XML by the schemas of others',
      xml === null ? `${json.length}; xmllint is not installed` : `${json.length} and ${xml.length}`,
      '0',
      json.length === 0 && (xml === null || xml.length === 0),
    ),
    plain(
      'Events: reading the file, in which the process does nothing else; the whole import',
      `${ms(found.import.readMs)}; ${ms(found.import.totalMs)}`,
      '≤ 1 s; ≤ 20 s',
      found.import.readMs <= 1000 && found.import.totalMs <= 20_000,
    ),
  )
  for (const fault of [...json, ...(xml ?? [])].slice(0, 10)) console.log(`  schema: ${fault}`)
  compare('P1 Events: list of 20, JSON', ...found.beside.list, 0.6)
  compare('P3 Events: one event, JSON', ...found.beside.item, 0.55)
  pageRow('P4 Events: page of one event', ...found.beside.page)
  pageRow('P4 Events: programme of a stage and day, page', ...found.beside.listPage)
  for (const [what, [before, after]] of Object.entries(found.growth))
    rows.push(
      plain(
        `P10 Events: ${what}, median from ${events.toLocaleString('en')} to ten times as many`,
        `${before.toFixed(1)} → ${after.toFixed(1)} ms`,
        '≤ 1.3 ×',
        after <= before * 1.3,
      ),
    )
}

async function forum(posts: number) {
  const size = { topics: Math.round(posts / 10), posts, longTopic: 10_000 }
  const figures = await measureForum('src/app/main.ts', size, seconds)
  const of = `${size.topics.toLocaleString('en')} topics, ${posts.toLocaleString('en')} posts, cold`
  const names = {
    listJson: 'topic list, JSON',
    topicJson: 'topic of 10 posts, JSON',
    listPage: 'topic list, page',
    topicPage: 'topic of 10 posts, page',
  } as const
  for (const key of ['listJson', 'topicJson', 'listPage', 'topicPage'] as const) {
    const { cpuMs, requestsPerSecond, p99Ms, failed } = figures[key]
    rows.push(
      plain(
        `Forum ${names[key]}; ${of}: CPU a request, server and database`,
        `${cpuMs.toFixed(2)} ms (${(nodeBbMs[key] / cpuMs).toFixed(0)} × less than NodeBB); ${Math.round(requestsPerSecond)}/s, p99 ${p99Ms.toFixed(0)} ms, ${failed} failed`,
        `≤ ${(nodeBbMs[key] / 15).toFixed(2)} ms`,
        cpuMs <= nodeBbMs[key] / 15 && failed === 0,
      ),
    )
  }
  for (const key of ['listJson', 'topicJson'] as const) {
    const [times, most] = [figures[key].cpuMs / figures.bare[key].cpuMs, nodeBbTimesBare[key] / 15]
    rows.push(
      plain(
        `Forum ${names[key]}: CPU beside a bare ${key === 'listJson' ? 'list of 20 topics' : 'topic'} of the same database (NodeBB ${nodeBbTimesBare[key]} ×)`,
        `${figures[key].cpuMs.toFixed(2)} and ${figures.bare[key].cpuMs.toFixed(2)} ms: ${times.toFixed(1)} ×`,
        `≤ ${most.toFixed(1)} ×`,
        times <= most,
      ),
    )
  }
  compare('P3 Forum: one topic, JSON', ...figures.beside.topic, 0.55)
  pageRow('P4 Forum: topic list, page', ...figures.beside.listPage)
  pageRow('P4 Forum: topic of 10 posts, page', ...figures.beside.topicPage)
  const { first, last } = figures.longMs
  rows.push(
    plain(
      'P13 topic of 10,000 posts: page 1 and page 500',
      `${first.toFixed(1)} and ${last.toFixed(1)} ms`,
      'last ≤ 1.2 × first',
      last <= 1.2 * first,
    ),
    plain(
      `Forum search over ${(posts + 10_000).toLocaleString('en')} posts, p95`,
      `${figures.searchP95Ms.toFixed(0)} ms`,
      '≤ 100 ms',
      figures.searchP95Ms <= 100,
    ),
  )
}

async function posting(secondsLong: number) {
  const { accounts, perSecond, sent, taken, others, p50Ms, p99Ms, missing } = await measurePosts(1000, 100, secondsLong)
  const refused = Object.entries(others).map(([status, count]) => `${count} × ${status}`)
  rows.push(
    plain(
      `Forum: ${perSecond} posts a second for ${secondsLong} s from ${accounts.toLocaleString('en')} established accounts`,
      `${taken} of ${sent} taken${refused.length > 0 ? ` (${refused.join(', ')})` : ''}, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms; ${missing} missing`,
      'all; 0',
      taken === sent && missing === 0,
    ),
  )
}

async function signingUpAndIn() {
  const { tellings, race } = await measureAccounts(quick ? 100 : 300, quick ? 4 : 20)
  for (const { what, asked, auc, knownMs, unknownMs, alike } of tellings)
    rows.push(
      plain(
        `S6 ${what}: what the time tells of ${asked} known and ${asked} unknown addresses; medians`,
        `AUC ${auc.toFixed(3)}; ${knownMs.toFixed(1)} and ${unknownMs.toFixed(1)} ms${alike ? '' : ' (answers differ)'}`,
        '≤ 0.60, answers alike',
        auc <= 0.6 && alike,
      ),
    )
  const { rounds, clean, strange } = race
  rows.push(
    plain(
      'R14 200 signups with one address at once, two instances: rounds with exactly one account; answers but 201',
      `${clean} of ${rounds}; ${strange}`,
      'all; 0',
      clean === rounds && strange === 0,
    ),
  )
}

async function outages(script: string) {
  const stall = await measureStall(script, quick ? 15 : 60)
  const { acknowledged, lost, fiveHundreds, differentLists, episodes } = await measureFailovers(script, quick ? 2 : 10)
  const odd = Object.keys(stall.statuses).filter((status) => !['201', '202', '503'].includes(status))
  const s = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const of = 'commits wait, 20 writes and 20 reads a second, two instances'
  report(
    [
      plain(`R3 ${of}: failed reads`, `${stall.failedReads} of ${stall.reads}`, '0', stall.failedReads === 0),
      plain(
        `R3 ${of}: slowest write; answers but 201, 202, 503`,
        `${s(stall.slowestWriteMs)}; ${odd.length}`,
        '≤ 5 s; 0',
        stall.slowestWriteMs <= 5000 && odd.length === 0,
      ),
      plain(`R3 ${of}: connections taken`, `${stall.mostConnections}`, '≤ 30', stall.mostConnections <= 30),
      plain(`R3 ${of}: well again after`, s(stall.wellAfterMs), '≤ 2 s', stall.wellAfterMs <= 2000),
      plain(
        `R2 a primary killed ${episodes} times: acknowledged writes lost, 500s, lists that differ from the database`,
        `${lost} of ${acknowledged}, ${fiveHundreds}, ${differentLists}`,
        '0, 0, 0',
        lost + fiveHundreds + differentLists === 0,
      ),
    ],
    true,
  )
}

async function lastItems() {
  const parallel = 200
  const { rounds, restarts, claimed, redeemed, strange, slowestMs } = await measureLastItems(
    parallel,
    quick ? 2 : 20,
    quick ? 1 : 3,
  )
  const odd = Object.entries(strange)
    .map(([answer, count]) => `${count} × ${answer}`)
    .join(', ')
  const row = (what: string, won: number) =>
    plain(
      `R14 ${parallel} ${what} the last item at once, two instances: rounds with exactly one winner, ${restarts} of them while the database restarts; answers but 201, 409, 429; slowest round`,
      `${won} of ${rounds}; ${odd || 'none'}; ${(slowestMs / 1000).toFixed(1)} s`,
      'all; none',
      won === rounds && odd === '',
    )
  report([row('claims of', claimed), row('redemptions of', redeemed)], true)
}

async function viewing() {
  const { viewsPerSecond, p99Ms, failed, acknowledged, counted, cpuMs } = await measureViews(quick ? 5 : 15)
  report(
    [
      plain(
        'Views of one deal, each by a visitor of its own, one instance',
        `${Math.round(viewsPerSecond).toLocaleString('en')}/s at ${cpuMs.toFixed(2)} ms CPU, p99 ${p99Ms} ms, ${failed} failed`,
        '≥ 5,000/s; 0',
        viewsPerSecond >= 5000 && failed === 0,
      ),
      plain(
        'Views acknowledged, and counted after a stop (those under way at the end may be counted, too)',
        `${acknowledged.toLocaleString('en')}, ${counted.toLocaleString('en')}`,
        'none lost',
        counted >= acknowledged && counted - acknowledged <= connections,
      ),
    ],
    true,
  )
}

async function rolling(before: string) {
  const found = await measureRolling(before === 'this' ? null : before)
  const { from, newMigrations, reads, writes, failed, slowestMs, asked, broken } = found
  const odd = Object.entries(failed).map(([status, count]) => `${count} × ${status}`)
  for (const each of broken) console.log(`  ${each}`)
  report(
    [
      plain(
        `R20 two instances of ${from.slice(0, 12)} replaced one after the other, ${newMigrations} new migrations: failed of ${reads} reads and ${writes} writes; slowest`,
        `${odd.join(', ') || '0'}; ${(slowestMs / 1000).toFixed(1)} s`,
        '0',
        odd.length === 0,
      ),
      plain(
        `R18 the old code on the new schema: of ${asked} requests of guests, visitors and merchants those with 5xx or that failed`,
        `${broken.length}`,
        '0',
        broken.length === 0,
      ),
    ],
    true,
  )
}

async function listening(listeners: number) {
  const program = redisServer()
  if (!program)
    return console.log('redis-server is missing (Debian: apt-get install redis-server), so nothing was measured.')
  const { told, lost, doubled, disordered, cameBack, askedAnew, delayMs } = await measureRedis(program, listeners)
  const of = `${listeners} streams at two instances with Redis`
  const delays = Object.entries(delayMs)
    .map(([phase, { median, longest }]) => `${phase} ${median.toFixed(0)} / ${longest.toFixed(0)} ms`)
    .join('; ')
  report(
    [
      plain(
        `${of}, which restarts three times and hangs, an instance killed, the primary replaced: of ${told.toLocaleString('en')} messages to each lost, doubled, out of order`,
        `${lost}, ${doubled}, ${disordered} (${cameBack} streams broke and came back, ${askedAnew} asked anew)`,
        '0, 0, 0',
        lost + doubled + disordered === 0,
      ),
      { ...plain(`${of}: from the commit to the listener, median / longest`, delays, '', true), met: null },
    ],
    true,
  )
}

async function paying() {
  const found = await measurePayments(Number(said('shuffles') ?? 1000), 50)
  const { shuffles, alike, events, refused, p99Ms, seconds: took, ledgerSum } = found
  report(
    [
      plain(
        `R9 ${shuffles.toLocaleString('en')} shuffles with repeats over two instances (${events.toLocaleString('en')} events in ${took.toFixed(0)} s): end alike; not answered by 200; an event, p99`,
        `${alike}; ${refused}; ${p99Ms.toFixed(0)} ms`,
        'all; 0; ≤ 1 s',
        alike === shuffles && refused === 0 && p99Ms <= 1000,
      ),
      ...found.clicks.map(({ what, parallel, pages, open, transactions, strange }) => {
        const [wantedPages, wantedTransactions] = what === 'upgrade' ? [0, 1] : [1, 0]
        return plain(
          `R10 ${parallel} clicks at once, ${what}, two instances: pages, open checkouts, ledger transactions; answers but 200 and 503`,
          `${pages}, ${open}, ${transactions}; ${strange}`,
          `${wantedPages}, ${wantedPages}, ${wantedTransactions}; 0`,
          pages === wantedPages && open === wantedPages && transactions === wantedTransactions && strange === 0,
        )
      }),
      plain('Ledger after all of it', `${ledgerSum} Rappen`, '0', ledgerSum === 0),
    ],
    true,
  )
}

/** What visitors see while the database has no connection for the site, or is away. */
async function fewConnections() {
  for (const { what, database, asked, asWished, slowestMs } of await measureFewConnections()) {
    const when = database === 'full' ? 'the database has no connection left' : 'the database is away'
    rows.push(
      plain(
        `R3 ${when}: ${what === 'kept' ? '20 pages of the last minute, answered' : 'all else, 503 with Retry-After'}; slowest`,
        `${asWished} of ${asked}; ${(slowestMs / 1000).toFixed(2)} s`,
        'all; ≤ 2 s',
        asWished === asked && slowestMs <= 2000,
      ),
    )
  }
}

async function forMerchants() {
  const is = (part: string) => process.argv.includes('--merchants') || process.argv.includes(`--${part}`)
  const ms = (value: number) => `${value.toFixed(1)} ms`
  if (is('analytics')) {
    const { events, rows: hours, p95Ms } = await measureAnalytics(quick ? 100_000 : 1_000_000, quick ? 20 : 60)
    for (const [range, p95] of Object.entries(p95Ms))
      rows.push(
        plain(
          `Analytics of a merchant with ${events.toLocaleString('en')} events in ${hours.toLocaleString('en')} hours of deals, ${range}: p95`,
          ms(p95),
          '≤ 100 ms',
          p95 <= 100,
        ),
      )
  }
  if (is('counting')) {
    const { quietMs, countingMs, countedPerSecond, failed } = await measureCounting(1000, quick ? 4 : 15)
    rows.push(
      plain(
        `A visitor’s search while ${Math.round(countedPerSecond).toLocaleString('en')} views and clicks a second are counted, median; without`,
        `${ms(countingMs)}; ${ms(quietMs)}${failed > 0 ? ` (${failed} failed)` : ''}`,
        '< 1 ms more',
        countingMs - quietMs < 1 && failed === 0,
      ),
    )
  }
  if (is('writes')) {
    const { oursPerSecond, barePerSecond, failed } = await measureWrites(seconds)
    const ratio = oursPerSecond / barePerSecond
    rows.push({
      what: 'P5 a new deal by a merchant with a token, beside a bare insert of the same row',
      ours: `${Math.round(oursPerSecond).toLocaleString('en')}/s${failed > 0 ? ` (${failed} failed)` : ''}`,
      ceiling: `${Math.round(barePerSecond).toLocaleString('en')}/s`,
      ratio: ratio.toFixed(2),
      bar: '≥ 0.35',
      met: ratio >= 0.35 && failed === 0,
    })
  }
  const chromium = is('create-deal') ? presentChromium() : null
  if (chromium) {
    const interactiveMs = await measureCreateDeal(chromium)
    rows.push(
      plain(
        'Create Deal, interactive on a throttled phone',
        `${interactiveMs.toFixed(0)} ms`,
        '≤ 2.5 s',
        interactiveMs <= 2500,
      ),
    )
  }
}

async function uploading() {
  for (const { what, photosMs, failed, other } of await measurePictures()) {
    const beside = other ? `; the PNG: ${other.status} after ${(other.ms / 1000).toFixed(1)} s` : ''
    rows.push(
      plain(
        `S10 ${what}: the slowest photo`,
        `${(photosMs / 1000).toFixed(1)} s${failed > 0 ? ` (${failed} failed)` : ''}${beside}`,
        '≤ 4 s',
        photosMs <= 4000 && failed === 0 && other?.status !== 0,
      ),
    )
  }
}

async function measureTown(size: number) {
  console.log(`\nA town with ${size.toLocaleString('en')} deals …`)
  const town = await buildTown(size)
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-app-'))
  const app = await startServer(
    'src/app/main.ts',
    { DATABASE_URL: town.url, DATA_DIR: folder },
    { probe: '/readyz', nodeArgs: startFlags },
  )
  try {
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const idleMb = residentMb(app.pid)
    // below 2,000 deals in the circle, as in a real festival, everything; above, what grows
    if (!onlyApi) rows.push(...(await measureMap(app.base, size, size === 1_000)))
    if (onlyMap) return
    const ours = (paths: string[]) => load(app.base, paths, { seconds, pids: [app.pid, town.postmaster] })
    const askList = () => ours(['/api/deals?limit=20'])
    const askItem = () => ours(town.sampleDealIds.map((id) => `/api/deals/${id}`))
    const list = await askList()
    const item = await askItem()
    const near = places(100).map(({ latitude, longitude }) => `lat=${latitude}&lon=${longitude}`)
    const search = await ours(near.map((place) => `/api/deals/search?${place}&category=food&openNow=true&limit=20`))
    latencies['list']!.push(list.p50Ms)
    latencies['item']!.push(item.p50Ms)
    latencies['search']!.push(search.p50Ms)
    searchMs.push({ size, ...(await timeSearchSql(town)) })
    if (size === 10_000) {
      const askText = () =>
        ours(near.map((place) => `/api/deals/search?${place}&category=food&openNow=true&q=pizza&limit=20`))
      const now = new Date()
      const listSql = withDeals(
        await recordSql(town.url, (db) =>
          store.listDeals(db, wanted(), { sort: 'new', after: null, offset: 0, limit: 21, cap: 1001 }),
        ),
      )
      const itemSql = await recordSql(town.url, async (db) => {
        for (const id of town.sampleDealIds) await store.findDeal(db, id, now)
      })
      const words = await wordsFor(town.url, 'pizza')
      const textSql = withDeals(
        await recordSql(town.url, async (db) => {
          for (const place of places(100)) await searchAt(db, place, words)
        }),
      )
      compare('P1 list 20, JSON', ...(await byTurns(beside(town), { kind: 'pg', recorded: listSql }, askList)), 0.6)
      compare(
        'P2 radius, category, open now, words, JSON',
        ...(await byTurns(beside(town), { kind: 'fastify', recorded: textSql }, askText)),
        0.75,
      )
      compare('P3 one deal, JSON', ...(await byTurns(beside(town), { kind: 'pg', recorded: itemSql }, askItem)), 0.55)
      await embeddedOrUrl(size, near)
      const [, fixed] = await byTurns(beside(town), { kind: 'fixed' }, askItem)
      const htmlOf = async (path: string) => (await fetch(app.base + path)).text()
      const html = await byTurns(
        beside(town),
        { kind: 'react', recorded: listSql, body: await htmlOf('/deals') },
        () => ours(['/deals']),
        cpuRatio,
      )
      const pagesOf = (ids: string[]) => () => ours(ids.map((id) => `/deal/${id}`))
      const dealHtml = await htmlOf(`/deal/${town.sampleDealIds[0]}`)
      const page = await byTurns(
        beside(town),
        { kind: 'react', recorded: itemSql, body: dealHtml },
        pagesOf(town.sampleDealIds),
        cpuRatio,
      )
      const loadedMb = residentMb(app.pid)
      const fresh = await byTurns(
        beside(town),
        { kind: 'react', recorded: itemSql, body: dealHtml },
        pagesOf(town.manyDealIds),
        cpuRatio,
      )
      pageRow('P4 list page, rendered (micro-cached)', ...html, fixed)
      pageRow('P4 deal page, rendered (micro-cached), 200 deals', ...page, fixed)
      pageRow('beside it: deal page, rendered each time, 5,000 deals', ...fresh, fixed)
      rows.push(plain('P7 memory of the Node process, idle', `${idleMb.toFixed(0)} MB`, '≤ 130 MB', idleMb <= 130))
      rows.push(
        plain('P7 memory of the Node process, under load', `${loadedMb.toFixed(0)} MB`, '≤ 300 MB', loadedMb <= 300),
        {
          ...plain('beside it: after pages rendered each time', `${residentMb(app.pid).toFixed(0)} MB`, '', true),
          met: null,
        },
      )
    }
    await mapData(town, ours)
    if (size === 10_000) {
      await loggingIn(app, `/api/deals/${town.sampleDealIds[0]}`)
      await shedding(app)
    }
  } finally {
    await app.stop()
    await town.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** F5: what a map asks for, beside a bare server that does one search. */
async function mapData(town: Town, ours: (paths: string[]) => Promise<Figure>) {
  const searchSql = withDeals(
    await recordSql(town.url, async (db) => {
      for (const place of places(100)) await searchAt(db, place, null)
    }),
  )
  const asked = '/api/deals/search?category=&openNow=false&sponsored=false&radius=5&view=map&compact=true'
  const views = places(100).map(({ latitude, longitude }) => {
    const box = [longitude - 0.1, latitude - 0.05, longitude + 0.1, latitude + 0.05]
    return `${asked}&lat=47.5596&lon=7.5886&bbox=${box.map((each) => each.toFixed(4)).join(',')}`
  })
  for (const [what, paths, bar] of [
    ['F5 map data, of the view everybody begins with', [`${asked}&lat=47.5596&lon=7.5886`], 3],
    ['beside it: of a hundred views of the town that nobody else has', views, null],
  ] as const) {
    const [mine, bare] = await byTurns(
      beside(town),
      { kind: 'pg', recorded: searchSql },
      () => ours([...paths]),
      cpuRatio,
    )
    const ratio = cpuRatio(mine, bare)
    rows.push({
      what: `${what}, beside one bare search; ${town.deals.toLocaleString('en')} deals`,
      ours: perSecond(mine),
      ceiling: perSecond(bare),
      ratio: ratio.toFixed(2),
      bar: bar ? `≤ ${bar} CPU` : '',
      met: bar ? ratio <= bar : null,
    })
  }
}

async function costlySearches() {
  const { ours, before } = await measureCostly(said('beside') ?? null)
  rows.push({
    what: 'R21 100 others ask for maps and misspelt words, 50,000 deals: searches at a place meanwhile',
    ours: tellCostly(ours),
    ceiling: before ? `before: ${tellCostly(before)}` : '',
    ratio: '',
    bar: 'p99 ≤ 1000 ms, 0 failed; 503 only with Retry-After',
    met: isBounded(ours),
  })
}

async function loggingIn(app: RunningServer, path: string) {
  const { fortyMs, othersP99Ms, failed } = await parallelLogins(app, path)
  rows.push(
    plain(
      'S7 40 logins at once: until the last is in; p99 of others meanwhile',
      `${(fortyMs / 1000).toFixed(2)} s; ${othersP99Ms.toFixed(0)} ms${failed > 0 ? ` (${failed} failed)` : ''}`,
      '≤ 4 s; ≤ 200 ms',
      fortyMs <= 4000 && othersP99Ms <= 200 && failed === 0,
    ),
  )
}

async function shedding(app: RunningServer) {
  const { strange, answered, refused, peakMb, calmAgainS } = await overload(app, quick ? 10 : 60)
  rows.push(
    plain(
      'R21 500 connections on the heaviest search: answers 200, 429 or 503; memory; calm again after',
      `${answered.toLocaleString('en')} answered, ${refused.toLocaleString('en')} refused, ${strange} others; ${peakMb.toFixed(0)} MB; ${calmAgainS === null ? 'not in 10 s' : `${calmAgainS.toFixed(1)} s`}`,
      '0 others; ≤ 512 MB; ≤ 10 s',
      strange === 0 && peakMb <= 512 && calmAgainS !== null,
    ),
  )
}

async function wordsFor(url: string, typed: string): Promise<string> {
  let words = ''
  await recordSql(url, async (db) => {
    words = (await store.searchWords(db, typed, new Date())).query
  })
  return words
}

/**
 * P6: by turns, apps on two fresh towns: one in the database an app starts itself, one on a server reached over TCP. Two
 * processes that differ in nothing scatter by a tenth, each for as long as it lives, so nine pairs are started one after the other.
 */
async function embeddedOrUrl(deals: number, near: string[]) {
  const admin = process.env['BENCH_DATABASE_URL']
  if (!admin) return
  const embedded = await buildTown(deals)
  const reached = await buildTownAt(admin, deals)
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-url-'))
  const appOf = (town: Pick<Town, 'url'>, name: string) =>
    startServer(
      'src/app/main.ts',
      { DATABASE_URL: town.url, DATA_DIR: join(folder, name) },
      { probe: '/readyz', nodeArgs: startFlags },
    )
  const asked: Record<string, (ids: string[]) => string[]> = {
    list: () => ['/api/deals?limit=20'],
    search: () => near.map((place) => `/api/deals/search?${place}&category=food&openNow=true&limit=20`),
    item: (ids) => ids.map((id) => `/api/deals/${id}`),
  }
  const pairs: Record<string, [Figure, Figure][]> = {}
  try {
    for (let n = 0; n < freshPairs; n++) {
      const mine = await appOf(embedded, `embedded-${n}`)
      const theirs = await appOf(reached, `reached-${n}`)
      for (const [name, paths] of Object.entries(asked)) {
        const askMine = (forS: number) =>
          load(mine.base, paths(embedded.sampleDealIds), { seconds: forS, pids: [mine.pid, embedded.postmaster] })
        const askTheirs = (forS: number) =>
          load(theirs.base, paths(reached.sampleDealIds), { seconds: forS, pids: [theirs.pid] })
        await askMine(1)
        await askTheirs(1)
        ;(pairs[name] ??= []).push([await askMine(seconds), await askTheirs(seconds)])
      }
      await mine.stop()
      await theirs.stop()
    }
    for (const [name, all] of Object.entries(pairs))
      compare(`P6 embedded database beside DATABASE_URL over TCP, ${name}`, ...medianOf(all, requestRatio), 0.9)
  } finally {
    await reached.close()
    await embedded.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function beside(town: Town) {
  return { databaseUrl: town.url, postmaster: town.postmaster, seconds }
}

function searchAt(db: Database, place: { latitude: number; longitude: number }, words: string | null) {
  return store.searchDeals(
    db,
    wanted({ category: { key: 'food', tag: null }, openNow: true, words }),
    { centre: place, radiusKm: 5, bbox: null },
    { sort: 'best', offset: 0, limit: 21, paid: { turn: 5_000_000 }, excludedIds: [], cap: 1001 },
  )
}

async function startUp() {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-start-'))
  try {
    const times: number[] = []
    for (let n = 0; n < 4; n++) {
      const app = await startServer('src/app/main.ts', { DATA_DIR: folder, DATABASE_URL: '' }, { probe: '/healthz' })
      times.push(app.startMs)
      await app.stop()
    }
    const [empty, ...warm] = times as [number, number, number, number]
    const median = warm.sort((a, b) => a - b)[1]!
    rows.push(
      plain(
        'P8 start on an empty folder, to the first answer',
        `${(empty / 1000).toFixed(2)} s`,
        '≤ 6 s',
        empty <= 6000,
      ),
    )
    rows.push(
      plain('P8 start again, to the first answer', `${(median / 1000).toFixed(2)} s`, '≤ 1.5 s', median <= 1500),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function scaling(): Row[] {
  const rows: Row[] = []
  const first = sizes[0]!.toLocaleString('en')
  const last = searchMs.at(-1)!.size.toLocaleString('en')
  for (const name of ['list', 'item'] as const) {
    const [small, large] = [latencies[name]![0]!, latencies[name]!.at(-1)!]
    const ratio = large / small
    rows.push({
      what: `P10 ${name}, median from ${first} to ${last} deals`,
      ours: `${large.toFixed(1)} ms`,
      ceiling: `${small.toFixed(1)} ms`,
      ratio: ratio.toFixed(2),
      bar: '≤ 1.3',
      met: ratio <= 1.3,
    })
  }
  for (const { size, ours, reference } of searchMs) {
    const ratio = ours / reference
    rows.push({
      what: `P11 search statement, ${size.toLocaleString('en')} deals`,
      ours: `${ours.toFixed(2)} ms`,
      ceiling: `${reference.toFixed(2)} ms`,
      ratio: ratio.toFixed(2),
      bar: '≤ 1.2',
      met: ratio <= 1.2,
    })
  }
  for (const { size, count, reference } of searchMs)
    rows.push({
      what: `beside it: counting what it finds, up to 1,000; ${size.toLocaleString('en')} deals`,
      ours: `${count.toFixed(2)} ms`,
      ceiling: `${reference.toFixed(2)} ms`,
      ratio: (count / reference).toFixed(2),
      bar: '',
      met: null,
    })
  const [small, large] = [searchMs[0]!, searchMs.at(-1)!]
  if (small === large) return rows
  const exponent = Math.log(large.ours / small.ours) / Math.log(large.size / small.size)
  rows.push(plain(`P11 growth of the search statement, exponent`, exponent.toFixed(2), '≤ 0.5', exponent <= 0.5))
  return rows
}

function weights(): Row[] {
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
async function waysToNow(runs: number) {
  const chromium = findChromium()
  if (!chromium) return console.log('There is no browser, so nothing was measured.')
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-now-'))
  const app = await startServer(
    'src/app/main.ts',
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
  } finally {
    await app.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function frontEnd() {
  const chromium = findChromium()
  if (!chromium) return
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-front-'))
  const app = await startServer(
    'src/app/main.ts',
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
  } finally {
    await app.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function compare(what: string, ours: Figure, bare: Figure, bar: number) {
  const ratio = ours.requestsPerSecond / bare.requestsPerSecond
  rows.push({
    what,
    ours: perSecond(ours),
    ceiling: perSecond(bare),
    ratio: ratio.toFixed(2),
    bar: `≥ ${bar}`,
    met: ratio >= bar && ours.failed === 0,
  })
}

function pageRow(what: string, ours: Figure, react: Figure, fixed?: Figure) {
  const cpu = ours.cpuMs / react.cpuMs
  const share = fixed && (ours.requestsPerSecond / fixed.requestsPerSecond).toFixed(2)
  rows.push({
    what: share ? `${what} (${share} of node:http fixed)` : what,
    ours: perSecond(ours),
    ceiling: perSecond(react),
    ratio: cpu.toFixed(2),
    bar: '≤ 3.5 CPU',
    met: cpu <= 3.5 && ours.failed === 0,
  })
}

function perSecond({ requestsPerSecond, cpuMs, failed }: Figure) {
  return `${Math.round(requestsPerSecond).toLocaleString('en')}/s${cpuMs > 0 ? ` at ${cpuMs.toFixed(2)} ms CPU` : ''}${failed > 0 ? ` (${failed} failed)` : ''}`
}

function plain(what: string, ours: string, bar: string, met: boolean): Row {
  return { what, ours, ceiling: '', ratio: '', bar, met }
}

function report(rows: Row[], dry = isPart || process.argv.includes('--dry')) {
  const table = [
    '| what | ours | ceiling | ratio | bar | |',
    '|---|--:|--:|--:|--:|---|',
    ...rows.map(
      (row) =>
        `| ${row.what} | ${row.ours} | ${row.ceiling} | ${row.ratio} | ${row.bar} | ${row.met === null ? '' : row.met ? 'met' : '**missed**'} |`,
    ),
  ].join('\n')
  console.log(`\n${table}`)
  if (dry) return
  const file = join(root, 'docs/performance.md')
  const text = readFileSync(file, 'utf8')
  const head = `Node ${process.versions.node}, ${cpus().length} cores, ${generator}, ${seconds} s each, load average ${loadavg()[2]!.toFixed(0)} over 15 minutes, ${new Date().toISOString().slice(0, 10)}; sizes: ${searchMs.map(({ size }) => size.toLocaleString('en')).join(', ')} deals.`
  writeFileSync(
    file,
    text.replace(/<!-- table -->[\s\S]*<!-- end -->/, () => `<!-- table -->\n${head}\n\n${table}\n<!-- end -->`),
  )
}
