import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { get } from '../people.ts'
import { aModerator } from '../staff.ts'
import { saturdayEvening } from '../saturday-evening.ts'
import { expectAccessible, expectNoSidewaysScroll, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

inBrowser('staff and a programme by address', () => {
  let host: Server
  let rows: string[] = []
  let status = 200
  beforeAll(async () => {
    host = createServer((_, response) => response.writeHead(status).end(['id,title,start,stage', ...rows].join('\n')))
    await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
  })
  afterAll(() => host.close())
  const port = () => (host.address() as AddressInfo).port
  const at = useBrowser({ now: saturdayEvening, outside: { isAllowed: (_, of) => of === port() } })

  it('read it on a phone, import it after a look, and decide about a large change', async () => {
    const token = await aModerator(at.app, 'sources@example.org')
    const { page, context, faults } = await at.visit('/terms', { viewport: phone, expected: /422/ })
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(token)}); localStorage.setItem('userType', 'moderator')`,
    )
    const set = (n: number) => `${n},Set ${n},2026-06-21T1${n}:00:00Z,Halle`
    rows = Array.from({ length: 8 }, (_, n) => set(n))
    await page.goto('/admin/events')
    await hydrated(page)
    await page.getByText('Programmes imported from a URL').click()
    await page.getByText('No programme is imported from a URL.').waitFor()
    await page.getByLabel('Name of the programme').fill('halle')
    await page.getByLabel('URL (https)').fill(`http://127.0.0.1:${port()}/halle.csv`)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('8 events read: 8 new, 0 changed, 0 removed.').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Apply: halle' }).click()
    await page.getByText('Applied.').waitFor()
    await page.getByText(/^Read at .*: 8 events, 8 new, 0 changed, 0 removed$/).waitFor()
    await page
      .getByRole('button', { name: 'Edit Set 0' })
      .or(page.getByRole('link', { name: 'Edit Set 0' }))
      .waitFor()
    // half of the programme is gone
    rows = rows.slice(4)
    await page.getByRole('button', { name: 'Read now: halle' }).click()
    await page.getByText('It would remove 4 of 8 coming events, move 0, add 0 and change 0.').waitFor()
    expect((await get(at.app, '/api/events?day=2026-06-21')).body).toHaveLength(8)
    // the address fails: the reason is shown, the programme stays
    status = 503
    await page.getByRole('button', { name: 'Read now: halle' }).click()
    await page.getByText('The last read failed; the programme stays as it is.').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    status = 200
    await page.getByRole('button', { name: 'Apply: halle' }).click()
    await page.getByText('Applied.').waitFor()
    expect((await get(at.app, '/api/events?day=2026-06-21')).body).toHaveLength(4)
    await page.getByRole('button', { name: 'Stop reading: halle' }).click()
    await page.getByText('“halle” is no longer read.').waitFor()
    expect(faults).toEqual([])
  })
})
