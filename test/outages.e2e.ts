import { expect, vi, it } from 'vitest'
// the servers that are measured serve them
import './built-pages.ts'
import { measureFailovers, measureStall } from './outages.ts'

// whole servers that start, stop and are waited for
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

// `outages` of lab/ does this for longer, with limits of time
it('while commits wait under load no read fails, every write is answered, and the database keeps its connections', async () => {
  const { reads, failedReads, writes, statuses, mostConnections } = await measureStall(8)
  expect(reads).toBeGreaterThan(50)
  expect(failedReads).toBe(0)
  expect(writes).toBeGreaterThan(50)
  // the load may still be answered yes before the stall begins
  expect(Object.keys(statuses).filter((status) => !['201', '202', '503'].includes(status))).toEqual([])
  expect(mostConnections).toBeLessThanOrEqual(30)
})

it('when a primary dies under load and its standby takes over, nothing acknowledged is lost, nothing is a 500, and lists are what the database says', async () => {
  const { acknowledged, ...rest } = await measureFailovers(2)
  expect(acknowledged).toBeGreaterThan(5)
  expect(rest).toMatchObject({ lost: 0, fiveHundreds: 0, differentLists: 0 })
})
