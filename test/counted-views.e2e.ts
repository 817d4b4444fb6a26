import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startAppOn, type AppOn } from './app-on.ts'
// the killed server serves the built screens
import './built-pages.ts'
import { builtServer, startServer } from './built-server.ts'
import { addBusiness, addDeal } from './cast.ts'
import {
  promote,
  startForwarder,
  startOwnPostgres,
  startStandby,
  waitForCommits,
  type OwnPostgres,
} from './postgres-pair.ts'
import { quickFolder } from './quick-folder.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const env = { TRUST_PROXY: 'on', REQUESTS_PER_SECOND: '1000000' }
const ownPostgres = async () => {
  const postgres = await startOwnPostgres()
  onTestFinished(() => postgres.stop())
  return postgres
}
/** Starts an instance until the test ends, with a deal that has no views. */
async function appWithDeal(databaseUrl: string, log?: string[]) {
  const app = await startAppOn(databaseUrl, { env, ...(log ? { log } : {}) })
  onTestFinished(() => app.close())
  return { app, deal: await aDeal(app) }
}
const aDeal = async ({ db }: AppOn) => addDeal(db, await addBusiness(db, 'Café Rhein'), 'Coffee')

/** Sends views of a deal, each from another visitor, so that each counts. */
function crowdAt(deal: string) {
  let asked = 0
  let acknowledged = 0
  return {
    acknowledged: () => acknowledged,
    asked: () => asked,
    async opens(url: string, times: number): Promise<void> {
      const one = async () => {
        const n = asked++
        const headers = { 'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` }
        const answer = await fetch(`${url}/api/deals/${deal}/view`, { method: 'PUT', headers }).catch(() => null)
        if (answer?.status === 204) acknowledged++
      }
      await Promise.all(Array.from({ length: times }, one))
    },
  }
}
const countedBy = async (server: OwnPostgres, deal: string) => {
  const [row] = await server.sql<{ views: number }>(
    'select coalesce(sum(views), 0)::int as views from view_hours where subject_id = $1',
    [deal],
  )
  return row!.views
}
const isCounted = (server: OwnPostgres, deal: string, views: number) =>
  vi.waitFor(async () => expect(await countedBy(server, deal)).toBe(views), { timeout: 90_000, interval: 50 })

it('kill -9 loses only views that were not written yet, and none is counted twice', async () => {
  const postgres = await ownPostgres()
  const first = await startAppOn(postgres.url)
  const deal = await aDeal(first)
  await first.close()
  const dataDir = mkdtempSync(join(quickFolder(), 'rheinklang-views-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  const start = () =>
    startServer(
      builtServer,
      { ...env, DATABASE_URL: postgres.url, DATA_DIR: dataDir, DEMO_DATA: 'off', LOG_LEVEL: 'silent' },
      { probe: '/readyz' },
    )
  const crowd = crowdAt(deal)
  const killed = await start()
  await crowd.opens(killed.base, 30)
  expect(crowd.acknowledged()).toBe(30)
  await isCounted(postgres, deal, 30)
  await crowd.opens(killed.base, 200)
  process.kill(killed.pid, 'SIGKILL')
  const again = await start()
  onTestFinished(() => again.stop())
  const counted = await countedBy(postgres, deal)
  expect(counted).toBeGreaterThanOrEqual(30)
  expect(counted).toBeLessThanOrEqual(crowd.asked())
  await crowd.opens(again.base, 5)
  await isCounted(postgres, deal, counted + 5)
})

it('views whose commit got no answer, as while commits wait for a standby, never count twice', async () => {
  const postgres = await ownPostgres()
  const log: string[] = []
  const { app, deal } = await appWithDeal(postgres.url, log)
  const crowd = crowdAt(deal)
  await crowd.opens(app.url, 1)
  await isCounted(postgres, deal, 1)
  await waitForCommits(postgres, 'nobody')
  onTestFinished(() => waitForCommits(postgres, null))
  await crowd.opens(app.url, 20)
  expect(crowd.acknowledged()).toBe(21)
  // the commit stopped waiting and is stored, but the app got an error
  const isGivenUp = () => expect(log.join('')).toContain('Views could not be counted.')
  await vi.waitFor(isGivenUp, { timeout: 90_000, interval: 50 })
  await isCounted(postgres, deal, 21)
  await waitForCommits(postgres, null)
  // views whose commit got no answer are not written again
  await crowd.opens(app.url, 1)
  await isCounted(postgres, deal, 22)
})

it('after a failover views are counted again, and none twice', async () => {
  const primary = await ownPostgres()
  const standby = await startStandby(primary, { synchronous: true })
  onTestFinished(() => standby.stop())
  const forwarder = await startForwarder(primary)
  onTestFinished(() => forwarder.close())
  const { app, deal } = await appWithDeal(forwarder.url)
  const crowd = crowdAt(deal)
  await crowd.opens(app.url, 10)
  await isCounted(standby, deal, 10)
  await crowd.opens(app.url, 100)
  await primary.kill()
  forwarder.leadTo(null)
  await promote(standby)
  forwarder.leadTo(standby)
  await vi.waitFor(async () => expect((await fetch(`${app.url}/readyz`)).status).toBe(200), 90_000)
  await vi.waitFor(
    async () => {
      const before = await countedBy(standby, deal)
      await crowd.opens(app.url, 1)
      await vi.waitFor(async () => expect(await countedBy(standby, deal)).toBeGreaterThan(before), 5_000)
    },
    { timeout: 90_000, interval: 100 },
  )
  expect(await countedBy(standby, deal)).toBeLessThanOrEqual(crowd.asked())
})
