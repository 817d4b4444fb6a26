import { expect, vi, it } from 'vitest'
// the measured servers serve the built screens
import './built-pages.ts'
import { measureFailovers, measureStall } from './outages.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

// `outages` of lab/ does the same for longer, with time limits
it('while commits wait under load, reads work, every write is answered, and database connections stay free', async () => {
  const { reads, failedReads, writes, statuses, mostConnections } = await measureStall(8)
  expect(reads).toBeGreaterThan(50)
  expect(failedReads).toBe(0)
  expect(writes).toBeGreaterThan(50)
  // writes before the stall may succeed
  expect(Object.keys(statuses).filter((status) => !['201', '202', '503'].includes(status))).toEqual([])
  expect(mostConnections).toBeLessThanOrEqual(30)
})

it('a failover under load loses no acknowledged write, gives no 500, and lists match the database', async () => {
  const { acknowledged, ...rest } = await measureFailovers(2)
  expect(acknowledged).toBeGreaterThan(5)
  expect(rest).toMatchObject({ lost: 0, fiveHundreds: 0, differentLists: 0 })
})
