import { beforeAll, expect, it } from 'vitest'
import { addBusiness } from '../../../test/cast.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { Room } from '../../kit/server/room.ts'
import { rooms } from '../rooms.ts'

const lanterns: Room<object> = {
  name: 'lanterns',
  looksInto: [],
  open: () => ({}),
  sitemap: () => ({
    shelves: {
      lanterns: async (limit) => Array.from({ length: Math.min(limit, 60_000) }, (_, n) => ({ path: `/lantern/${n}` })),
      ghosts: async () => [],
    },
  }),
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ rooms: [...rooms, lanterns] })
})

it('the sitemap has no empty and no unknown parts', async () => {
  expect(pathsIn((await api(app, '/sitemap.xml')).text)).not.toContain('/sitemap-ghosts.xml')
  for (const part of ['ghosts', 'deals-x', 'deals-00000000-0000-0000-0000-000000000000', 'constructor', ''])
    expect((await api(app, `/sitemap-${part}.xml`)).status, part).toBe(404)
})

it('a part of the sitemap holds 50,000 pages, as many as the format allows', async () => {
  expect(pathsIn((await api(app, '/sitemap.xml')).text)).toContain('/sitemap-lanterns.xml')
  const { status, text } = await api(app, '/sitemap-lanterns.xml')
  expect(status).toBe(200)
  const paths = pathsIn(text)
  expect(paths).toHaveLength(50_000)
  expect(paths.at(-1)).toBe('/lantern/49999')
})

it('the newest businesses come first in their part of the sitemap', async () => {
  const [first, second] = [await addBusiness(app.db, 'Rhybar'), await addBusiness(app.db, 'Bar Nord')]
  const paths = pathsIn((await api(app, '/sitemap-businesses.xml')).text)
  expect(paths).toEqual([`/business/${second}`, `/business/${first}`])
})

const pathsIn = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url!).pathname)
