import { execFileSync } from 'node:child_process'
import { presentChromium } from '../scripts/find-chromium.ts'
import { places } from './asked.ts'
import { cacheHead, cacheLine, measureCaches } from './caches.ts'
import { measureCluster } from './cluster.ts'
import { crowdHead, lineOf, measureCrowd } from './crowd.ts'
import { measureColdStart } from './offline.ts'
import { measureReminders } from './reminders.ts'
import { report } from './report.ts'
import { releaseBefore } from './rolling.ts'
import { accountRows } from './rows/accounts.ts'
import { lastItemRows, viewRows } from './rows/deals.ts'
import { embeddedRows } from './rows/embedded.ts'
import { eventRows, onlyCalendarRows } from './rows/events.ts'
import { flagRow } from './rows/forum-flags.ts'
import { forumRows, livePostsRow, postingRow } from './rows/forum.ts'
import { importRows } from './rows/imports.ts'
import { frontRows, nowRows, weightRows } from './rows/front.ts'
import { growthRows, type TownFigures } from './rows/growth.ts'
import { merchantParts, merchantRows, pictureRows } from './rows/merchants.ts'
import { containerRows, fewConnectionsRows, outageRows, redisRows, rollingRows } from './rows/outages.ts'
import { costlyRow } from './rows/overload.ts'
import { paymentRows } from './rows/payments.ts'
import type { Row } from './rows/row.ts'
import { startRows } from './rows/start.ts'
import { measureTown } from './rows/town.ts'
import { turnRows } from './rows/turns.ts'
import { sizesTable } from './sizes.ts'
import { measureStreams } from './streams.ts'

/**
 * `npm run bench` measures against ceilings that are started in the same run: a bare server doing the same work. With
 * `--quick` at 1k and 10k deals in a few minutes; otherwise also at 100k, with `--all` at 1M, or at `--sizes=10000,…`.
 * Writes docs/performance.md unless `--dry`. `--front` measures what the browser gets alone, `--api` the server alone, `--map` the map, `--accounts` signing up and in,
 * `--pictures` uploads, `--connections` a database without a free connection, `--redeem` the last item of a deal, `--merchants` what merchants wait for (`--analytics`, `--counting`, `--writes`,
 * `--create-deal`: one of it; writes nothing), `--reminders` 2,000 reminders that are due at once over 4 instances (or `--due=N`, `--instances=N`, `--kills=N` times kill -9), `--streams` what reaches 500 open streams over 2 instances and what 5,000 cost (or `--open=N`, `--idle=N`),
 * `--offline` a cold start of My Schedule without a network (or `--runs=N`), `--crowd` a festival evening of 5,000 visitors (or `--visitors=N`) who each ask what nobody asked
 * before, where wanted beside another checkout (`--beside=PATH`), `--outages` a database that waits or fails over (`--script=PATH`:
 * of another checkout's build/app/main.mjs), `--cluster` a cluster made of the files of deploy/ under faults (`--faults=NAME,…`, `--times=N`, `--open=STREAMS`, `--pool-mode=transaction`; writes nothing), `--forum` the forum (2,000 topics, 20,000 posts, or `--posts=N`; writes nothing), `--posting` posts to 500 open pages (or `--listeners=N`) and 100 posts a second (or `--seconds=N`), `--flags` new accounts that flag a topic,
 * `--turns` one address with 100 costly searches at once, and 20 large pictures at once (writes nothing),
 * `--caches` what each cache of the server saves (`--only=NAME`; writes nothing),
 * `--imports` visitors while staff import slow and large files (`--script=PATH`: of another checkout's build/app/main.mjs; writes nothing),
 * `--now` the way to a deal that can be used now, near me (`--runs=N`; writes nothing),
 * `--events` a real programme of 1,007 events (writes nothing), `--calendars` only its feeds as ical.js and khal read them, `--payments` 1,000 shuffled histories of payments (or `--shuffles=N`) and
 * 50 clicks at once over two instances (writes nothing), `--views` a crowd that opens one deal (writes nothing), `--redis` 500 open
 * streams (or `--listeners=N`) while Redis, an instance and the primary go and come (writes nothing), `--rolling` two instances of the release
 * before (`--from=COMMIT`; `--from=this`: of this version) replaced by this version one after the other (writes nothing), `--container` the image of deploy/Containerfile (writes nothing),
 * `--embedded` P6, where `BENCH_DATABASE_URL` names a server (writes nothing). Figures of two runs are not to be compared, only ratios.
 */
const has = (flag: string) => process.argv.includes(`--${flag}`)
const said = (name: string) => process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3)
if (has('help')) {
  console.log('npm run bench -- [--quick] …\n\nThe options stand at the top of bench/main.ts.')
  process.exit(0)
}
const quick = has('quick')
/** Only what the browser gets; writes nothing. */
const front = has('front')
const all = has('all')
/** Only the server's rows P1 to P8, without a browser, and nothing is written. */
const onlyApi = has('api')
/** Only the map, and nothing is written. */
const onlyMap = has('map')
/** Only accounts: what timing tells of an address, and races of one address over two instances. Nothing is written. */
const onlyAccounts = has('accounts')
/** Only uploads, and nothing is written. */
const onlyPictures = has('pictures')
const isPart = front || onlyApi || onlyMap || onlyAccounts || onlyPictures
const everySize = [1_000, 10_000, 100_000, 1_000_000]
const sizes = said('sizes')?.split(',').map(Number) ?? everySize.slice(0, quick ? 2 : all ? 4 : 3)
const seconds = 3
const root = new URL('..', import.meta.url).pathname

execFileSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: root, stdio: 'inherit' })

if (has('outages')) {
  report(await outageRows(said('script') ?? 'build/app/main.mjs', quick))
  process.exit()
}
if (has('cluster')) {
  const episodes = await measureCluster(said('faults')?.split(',') ?? null, {
    times: Number(said('times') ?? 1),
    open: Number(said('open') ?? 5000),
    poolMode: said('pool-mode') === 'transaction' ? 'transaction' : 'session',
  })
  process.exit(episodes === null ? 1 : 0)
}
if (has('reminders')) {
  console.log(
    await measureReminders(Number(said('due') ?? 2000), Number(said('instances') ?? 4), Number(said('kills') ?? 0)),
  )
  process.exit()
}
if (has('streams')) {
  console.log(await measureStreams(Number(said('open') ?? 500), Number(said('idle') ?? 5000), 40))
  process.exit()
}
if (has('offline')) {
  const chromium = presentChromium()
  if (chromium) console.log(await measureColdStart(chromium, Number(said('runs') ?? 7)))
  process.exit()
}
if (has('payments')) {
  report(await paymentRows(Number(said('shuffles') ?? 1000)))
  process.exit()
}
if (has('rolling')) {
  report(await rollingRows(said('from') ?? releaseBefore()))
  process.exit()
}
if (has('redis')) {
  const found = await redisRows(Number(said('listeners') ?? 500))
  if (found) report(found)
  process.exit()
}
if (has('container')) {
  const found = await containerRows()
  if (found) report(found)
  process.exit()
}
if (has('views')) {
  report(await viewRows(quick))
  process.exit()
}
if (has('redeem')) {
  report(await lastItemRows(quick))
  process.exit()
}
if (['merchants', ...merchantParts].some(has)) {
  report(await merchantRows({ is: (part) => has('merchants') || has(part), quick, seconds }))
  process.exit()
}
if (has('crowd')) {
  const crowd = await measureCrowd(quick ? [10_000] : [10_000, 100_000], {
    visitors: Number(said('visitors') ?? 5000),
    beside: said('beside') ?? null,
  })
  console.log(`\n${crowdHead}\n${crowd.map(lineOf).join('\n')}`)
  const evening = crowd.find(({ what, size }) => what === 'the whole evening' && size === 10_000)
  if (evening) console.log(`\nOn paper (docs/operations.md, "Sizes"):\n\n${sizesTable(evening.ours)}`)
  process.exit()
}
if (has('caches')) {
  const found = await measureCaches(said('only') ?? null)
  console.log(`\n${cacheHead}\n${found.map(cacheLine).join('\n')}`)
  process.exit()
}
if (has('embedded')) {
  const near = places(100).map(({ latitude, longitude }) => `lat=${latitude}&lon=${longitude}`)
  report(await embeddedRows(10_000, near, seconds))
  process.exit()
}
if (has('costly')) {
  report([await costlyRow(said('beside') ?? null)])
  process.exit()
}
if (has('imports')) {
  report(await importRows(said('script') ?? 'build/app/main.mjs'))
  process.exit()
}
if (has('turns')) {
  report(await turnRows(said('beside') ?? null))
  process.exit()
}
if (has('connections')) {
  report(await fewConnectionsRows())
  process.exit()
}
if (has('posting')) {
  report([await livePostsRow(Number(said('listeners') ?? 500)), await postingRow(Number(said('seconds') ?? 30))])
  process.exit()
}
if (has('flags')) {
  report([await flagRow()])
  process.exit()
}
if (has('forum')) {
  report(await forumRows(Number(said('posts') ?? 20_000), seconds))
  process.exit()
}
if (has('events')) {
  report(await eventRows(seconds))
  process.exit()
}
if (has('calendars')) {
  report(await onlyCalendarRows())
  process.exit()
}
if (has('now')) {
  report(await nowRows(Number(said('runs') ?? 5)))
  process.exit()
}

const rows: Row[] = []
const towns: TownFigures[] = []
if (onlyAccounts) rows.push(...(await accountRows(quick)))
if (onlyPictures || !isPart) rows.push(...(await pictureRows()))
if (onlyMap || onlyApi || !isPart) {
  if (!onlyMap) rows.push(...(await startRows()))
  for (const size of sizes) {
    const town = await measureTown(size, { seconds, quick, onlyApi, onlyMap })
    rows.push(...town.rows)
    if (town.figures) towns.push(town.figures)
    // after each town, so that a run which is ended early has told what it knows
    tell(onlyMap ? rows : [...rows, ...growthRows(towns), ...weightRows(root)])
  }
  if (!onlyMap) rows.push(...growthRows(towns))
  if (!onlyMap) rows.push(await flagRow())
  if (!onlyMap && !onlyApi && !quick)
    rows.push(
      await costlyRow(said('beside') ?? null),
      ...(await turnRows(null)),
      ...(await importRows('build/app/main.mjs')),
    )
}
if (front || !isPart) {
  rows.push(...weightRows(root))
  rows.push(...(await frontRows()))
}
tell(rows)

function tell(known: Row[]) {
  const isDry = isPart || has('dry')
  report(known, isDry ? null : { root, seconds, sizes: towns.map(({ size }) => size) })
}
