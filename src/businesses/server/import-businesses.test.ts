import fc from 'fast-check'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addBusiness } from '../../../test/cast.ts'
import { api, saturdayEvening, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { fillOpenings } from './businesses.ts'
import { importBusinesses, reportLines, type ImportOptions, type ImportReport } from './import-businesses.ts'
import { parseImportFile, readImportFile, UnreadableFile } from './import-file.ts'

let app: TestApp
let folder: string

beforeAll(async () => {
  app = await startTestApp()
  folder = mkdtempSync(join(tmpdir(), 'rheinklang-import-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await app.close()
})
beforeEach(async () => {
  app.setNow(saturdayEvening)
  await app.db.deleteFrom('businesses').execute()
})

const room = () => ({
  db: app.db,
  clock: { now: () => Temporal.Instant.from(saturdayEvening) },
})
type Options = ImportOptions & { at?: string }
const take = (content: string | Uint8Array, { at, ...options }: Options = {}) =>
  importBusinesses(
    at ? { ...room(), clock: { now: () => Temporal.Instant.from(at) } } : room(),
    parseImportFile(typeof content === 'string' ? new TextEncoder().encode(content) : content),
    options,
  )
const said = (report: ImportReport) => reportLines(report).slice(0, -2)
const total = (report: ImportReport) => reportLines(report).at(-1)
const stored = () => app.db.selectFrom('businesses').selectAll().orderBy('source_id').execute()
const only = async () => (await stored())[0]!

const onTheBridge = { type: 'Point', coordinates: [7.5897, 47.5601] }
const feature = (properties: object | null, geometry: unknown = onTheBridge) => ({
  type: 'Feature',
  properties,
  geometry,
})
const geojson = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features })
const barNord = { osm: 'node/1', name: 'Bar Nord', amenity: 'bar', opening_hours: 'Mo-Sa 18:00-02:00' }

describe('an imported merchant', () => {
  it('is unclaimed: it has a public page, and neither e-mail nor deals', async () => {
    await take(
      geojson(feature({ ...barNord, email: 'private@example.org', description: 'x', subscription_tier: 'ULTIMATE' })),
    )
    const row = await only()
    expect(row).toMatchObject({
      claimed: false,
      email: null,
      description: null,
      subscription_tier: 'FREE',
      featured_until: null,
    })
    const { status, body } = await api(app, `/api/business/${row.business_id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      business_name: 'Bar Nord',
      category: 'drinks',
      claimed: false,
      latitude: 47.5601,
      longitude: 7.5897,
    })
    expect((await api(app, '/api/business?q=nord')).body[0]).toMatchObject({ business_name: 'Bar Nord', live_deals: 0 })
  })
  it('is open by its hours once the openings are filled', async () => {
    const report = await take(geojson(feature(barNord)))
    expect(report.hours).toEqual({ understood: 1, unknown: 0, absent: 0 })
    await fillOpenings(room())
    const { body } = await api(app, `/api/business/${(await only()).business_id}`)
    expect(body).toMatchObject({ open_now: true, open_until: '2026-06-21T00:00:00.000Z' })
  })
  it('with free wording keeps it and has unknown hours, said once however many have the same', async () => {
    const report = await take(
      geojson(...[1, 2, 3].map((n) => feature({ objectid: n, name: `Club ${n}`, oeffnungszeit: '0400/Frei' }))),
    )
    expect(said(report)).toEqual([
      expect.stringMatching(
        /^feature 1 \(Club 1\): note: “0400\/Frei” shows as “Hours unknown”.* \(and 2 more rows\)$/,
      ),
    ])
    expect(report.hours).toEqual({ understood: 0, unknown: 3, absent: 0 })
    await fillOpenings(room())
    const { body } = await api(app, `/api/business/${(await only()).business_id}`)
    expect(body).toMatchObject({ open_hours: '0400/Frei', open_now: null, open_until: null, opens_at: null })
  })
  it('has its address from street, number, postcode and town, and its canton from the postcode', async () => {
    await take('name,strasselang,hnr,plz,ort\nEins,Langstrasse,12,8004,Zürich\n')
    expect(await only()).toMatchObject({ address: 'Langstrasse 12, 8004 Zürich', canton: 'ZH', latitude: null })
  })
  it.each([
    ['8004', {}, 'ZH'],
    ['4051', {}, 'BS'],
    ['4125', {}, 'BS'],
    ['4410', {}, 'BS'],
    ['79539', {}, 'BS'],
    ['8004', { canton: 'AG' }, 'AG'],
  ] as const)('of postcode %s, asked for with %o, keeps the holidays of %s', async (postcode, options, canton) => {
    await take(`name;plz;ort\nEins;${postcode};Ort\n`, options)
    expect(await only()).toMatchObject({ canton, address: `${postcode} Ort` })
  })
  it.each([
    [{ betriebsart: 'Gastwirtschaft' }, 'food'],
    [{ betriebsart: 'Dancing / Disco' }, 'nightlife'],
    [{ betriebsart: 'Cabaret / Nachtclub' }, 'nightlife'],
    [{ betriebsart: 'Kleinverkaufsstelle' }, 'shopping'],
    [{ betriebsart: 'Veranstaltungsraum' }, 'culture'],
    [{ kind: 'Museen, Ausstellungen, Sammlungen' }, 'culture'],
    [{ category: 'pharmacy', amenity: 'pharmacy' }, 'wellness'],
    [{ amenity: 'bar;restaurant' }, 'drinks'],
    [{ shop: 'bicycle' }, 'shopping'],
    [{ shop: 'bakery' }, 'food'],
    [{ kind: 'Tischtennis' }, 'other'],
    [{}, 'other'],
  ])('of kind %o is found under %s', async (kind, category) => {
    await take(geojson(feature({ name: 'Eins', ...kind })))
    expect(await only()).toMatchObject({ category })
  })
  it('has a slug of its own, however many have its name', async () => {
    await take(
      geojson(
        ...[1, 2].map((n) => feature({ osm: `node/${n}`, name: 'Café Müller & Söhne' })),
        feature({ osm: 'node/3', name: '東京' }),
      ),
    )
    const slugs = (await stored()).map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(3)
    expect(slugs[0]).toMatch(/^cafe-mueller-soehne-[0-9a-f]{12}$/)
    expect(slugs[2]).toMatch(/^[0-9a-f]{12}$/)
  })
  it('without a name of its own goes by its brand', async () => {
    expect(said(await take(geojson(feature({ osm: 'node/1', name: null, brand: 'Denner' }))))).toEqual([
      'feature 1 (Denner): note: has no name: its brand is taken',
    ])
    expect(await only()).toMatchObject({ business_name: 'Denner' })
  })
  it('has only a phone number that can be called and a website that is one', async () => {
    const report = await take(
      'name,phone,website\nEins,+41 61 000 01 01,www.eins.example\nZwei,"=cmd|\'/C calc\'!A0",javascript:alert(1)\nDrei,061 000 01 02; 061 000 01 03,https://drei.example/a\n',
    )
    const rows = Object.fromEntries(
      (await stored()).map(({ business_name, phone, website }) => [business_name, [phone, website]]),
    )
    expect(rows).toEqual({
      Eins: ['+41 61 000 01 01', 'https://www.eins.example/'],
      Zwei: [null, null],
      Drei: ['061 000 01 02', 'https://drei.example/a'],
    })
    expect(said(report)).toHaveLength(2)
  })
})

describe('a second import', () => {
  const first = geojson(feature(barNord), feature({ osm: 'node/2', name: 'Coop', shop: 'supermarket' }))

  it('of the same file changes nothing, not even updated_at', async () => {
    expect(total(await take(first))).toBe('2 read, 2 new, 0 changed, 0 same, 0 refused')
    const before = await stored()
    expect(total(await take(first, { at: '2026-06-25T12:00:00Z' }))).toBe('2 read, 0 new, 0 changed, 2 same, 0 refused')
    expect(await stored()).toEqual(before)
  })
  it('changes only what differs, and keeps id, slug and page', async () => {
    await take(first)
    await fillOpenings(room())
    const [bar, coop] = await stored()
    const second = geojson(
      feature({ ...barNord, name: 'Bar Süd', opening_hours: 'Mo-Su 10:00-12:00' }),
      feature({ osm: 'node/2', name: 'Coop', shop: 'supermarket' }),
    )
    expect(total(await take(second, { at: '2026-06-25T12:00:00Z' }))).toBe(
      '2 read, 0 new, 1 changed, 1 same, 0 refused',
    )
    const [barNow, coopNow] = await stored()
    expect(coopNow).toEqual(coop)
    expect(barNow).toMatchObject({
      business_id: bar!.business_id,
      slug: bar!.slug,
      created_at: bar!.created_at,
      business_name: 'Bar Süd',
      hours_filled_until: null,
    })
    expect(barNow!.updated_at).toEqual(new Date('2026-06-25T12:00:00Z'))
    await fillOpenings(room())
    expect((await api(app, `/api/business/${bar!.business_id}`)).body).toMatchObject({
      open_now: false,
      opens_at: '2026-06-21T08:00:00.000Z',
    })
  })
  it('that only renames keeps the openings', async () => {
    await take(first)
    await fillOpenings(room())
    await take(geojson(feature({ ...barNord, name: 'Bar Süd' })))
    expect((await only()).hours_filled_until).not.toBeNull()
  })
  it('never touches a merchant that somebody claimed', async () => {
    await take(first)
    await app.db
      .updateTable('businesses')
      .set({ claimed: true, business_name: 'Bar Nord am Rhein' })
      .where('source_id', '=', 'osm:node/1')
      .execute()
    const before = await stored()
    const report = await take(geojson(feature({ ...barNord, name: 'Bar Alt' })), { at: '2026-06-25T12:00:00Z' })
    expect(total(report)).toBe('1 read, 0 new, 0 changed, 1 same, 0 refused')
    expect(said(report)).toEqual([expect.stringContaining('feature 1 (Bar Alt): note: is claimed by its merchant')])
    expect(await stored()).toEqual(before)
  })
  it('never touches a merchant that was not imported', async () => {
    await addBusiness(app.db, 'Bar Nord')
    const before = await stored()
    expect(total(await take(first))).toContain('2 new')
    expect((await stored()).find(({ source_id }) => source_id === null)).toEqual(before[0])
  })
  it('knows rows without an id by name and position', async () => {
    const csv = 'name,lat,lon\nEins,47.56,7.59\nEins,47.57,7.59\n'
    expect(total(await take(csv))).toBe('2 read, 2 new, 0 changed, 0 same, 0 refused')
    expect(total(await take(csv))).toBe('2 read, 0 new, 0 changed, 2 same, 0 refused')
  })
  it('knows rows again when the GeoJSON comes as CSV', async () => {
    const row = { objectid: 7, betriebsname: 'Rosso', betriebsart: 'Gastwirtschaft', plz: 8005, ort: 'Zürich' }
    await take(geojson(feature(row, { type: 'Point', coordinates: [8.52, 47.386] })))
    expect(
      total(
        await take(
          'objectid;betriebsname;betriebsart;plz;ort;lon;lat\n7;Rosso;Gastwirtschaft;8005;Zürich;8,52;47,386\n',
        ),
      ),
    ).toContain('1 same')
  })
  it('of another list with the same plain ids is refused, unless the list has a name', async () => {
    await take('objectid,name,lat,lon\n1,Eins,47.56,7.59\n')
    const other = 'objectid,name,lat,lon\n1,Ganz anders,47.38,8.54\n'
    const report = await take(other)
    expect(total(report)).toBe('1 read, 0 new, 0 changed, 0 same, 1 refused')
    expect(said(report)).toEqual([
      expect.stringContaining('line 2 (Ganz anders): refused: objectid:1 already stands for “Eins” elsewhere'),
    ])
    expect(total(await take(other, { source: 'zweite' }))).toContain('1 new')
    expect((await stored()).map(({ source_id }) => source_id)).toEqual(['objectid:1', 'zweite:1'])
  })
})

describe('all or nothing', () => {
  it('a dry run says what would happen and writes nothing', async () => {
    const report = await take(geojson(feature(barNord), feature({ osm: 'node/2' })), { dryRun: true })
    expect(total(report)).toBe('2 read, 1 new, 0 changed, 0 same, 1 refused')
    expect(await stored()).toEqual([])
  })
  it('a failure in the last batch takes back all the others', async () => {
    const features = Array.from({ length: 1100 }, (_, n) => feature({ osm: `node/${n}`, name: `Stand ${n}` }))
    await take(geojson(features.at(-1)))
    const { slug } = await only()
    await app.db.deleteFrom('businesses').execute()
    await addBusiness(app.db, 'In the way', { slug })
    await expect(take(geojson(...features))).rejects.toThrow('businesses_slug_key')
    expect(await stored()).toHaveLength(1)
  })
  it('two imports at once take each row once', async () => {
    const file = geojson(...Array.from({ length: 700 }, (_, n) => feature({ osm: `node/${n}`, name: `Stand ${n}` })))
    const totals = (await Promise.all([take(file), take(file)])).map(total)
    expect(totals).toHaveLength(2)
    expect(new Set(totals)).toEqual(
      new Set(['700 read, 0 new, 0 changed, 700 same, 0 refused', '700 read, 700 new, 0 changed, 0 same, 0 refused']),
    )
  })
})

describe('a row is refused with its reason', () => {
  const cases: [string, unknown, string | RegExp][] = [
    [
      'without a name',
      feature({ osm: 'node/1', name: ' \u00a0 ' }),
      'feature 1 (no name): refused: has no name (osm: node/1)',
    ],
    [
      'with a tower of accents for a name',
      feature({ name: `Z${'\u0301'.repeat(20)}` }),
      /refused: its name cannot be read/,
    ],
    ['with a name of nothing visible', feature({ name: '\u200b' }), /refused: has no name/],
    ['with a name that is a list', feature({ name: ['a'] }), /refused: has no name/],
    [
      'with a name of 10,000 characters',
      feature({ name: 'x'.repeat(10_000) }),
      /^feature 1 \(x{39}…\): refused: its name has 10000 characters, 80 at most$/,
    ],
    [
      'with NUL in its name',
      feature({ name: 'Bar\u0000Nord' }),
      'feature 1 (Bar Nord): refused: its name holds control characters',
    ],
    ['with half a character in its name', feature({ name: 'Bar \ud800' }), /control characters/],
    [
      'with a terminal sequence in its address',
      feature({ name: 'Bar', address: '\u001b[2J' }),
      /its address holds control characters/,
    ],
    ['with a mark that turns the reading direction', feature({ name: 'Bar \u202eNord' }), /control characters/],
    [
      'with control characters in its hours',
      feature({ name: 'Bar', opening_hours: '24/7\u0007' }),
      /its opening hours hold control characters/,
    ],
    ['without properties', feature(null), /refused: has no properties/],
    ['that is no feature', { name: 'Bar' }, /refused: is no GeoJSON feature/],
    ['that is null', null, /refused: is no GeoJSON feature/],
    [
      'that is a line',
      feature(
        { name: 'Bar' },
        {
          type: 'LineString',
          coordinates: [
            [7, 47],
            [7, 48],
          ],
        },
      ),
      /refused: is a LineString, neither a point nor an area/,
    ],
    [
      'that is an area without size',
      feature(
        { name: 'Bar' },
        {
          type: 'Polygon',
          coordinates: [
            [
              [7, 47],
              [7, 47],
              [7, 47],
              [7, 47],
            ],
          ],
        },
      ),
      /refused: is an area of no size/,
    ],
    [
      'that is a broken area',
      feature({ name: 'Bar' }, { type: 'Polygon', coordinates: [[7, 47]] }),
      /refused: is an area with a broken outline/,
    ],
    [
      'with words for coordinates',
      feature({ name: 'Bar' }, { type: 'Point', coordinates: ['east', 'north'] }),
      /refused: its coordinate “north” is no number/,
    ],
    [
      'with lists for coordinates',
      feature(
        { name: 'Bar' },
        {
          type: 'Point',
          coordinates: [
            [7, 5],
            [47, 5],
          ],
        },
      ),
      /is no number/,
    ],
    [
      'beyond the pole',
      feature({ name: 'Bar' }, { type: 'Point', coordinates: [7, 91] }),
      /refused: its coordinates 7, 91 are no degrees$/,
    ],
    [
      'in national coordinates',
      feature({ name: 'Bar' }, { type: 'Point', coordinates: [2611000, 1267000] }),
      /must be turned into WGS 84/,
    ],
    ['that closed for good', feature({ name: 'Bar', betriebsstatus: 'Geschlossen' }), /refused: has closed for good/],
  ]
  it.each(cases)('%s', async (_, row, line) => {
    const report = await take(geojson(row, feature({ name: 'Good' })))
    expect(total(report)).toBe('2 read, 1 new, 0 changed, 0 same, 1 refused')
    expect(said(report)).toEqual([typeof line === 'string' ? line : expect.stringMatching(line)])
  })
  it('with an id that an earlier row has, which it names', async () => {
    const report = await take('osm,name\nnode/1,Eins\n\nnode/1,Zwei\nnode/2,\nnode/2,Drei\n')
    expect(said(report)).toEqual([
      'line 4 (Zwei): refused: has the same id as line 2 (osm:node/1)',
      'line 5 (no name): refused: has no name (osm: node/2)',
    ])
    expect(total(report)).toBe('4 read, 2 new, 0 changed, 0 same, 2 refused')
  })
  it('with the name and place of an earlier row, when neither has an id', async () => {
    expect(said(await take(geojson(feature({ name: 'Eins' }), feature({ name: ' EINS' }))))).toEqual([
      expect.stringMatching(/^feature 2 \(EINS\): refused: has the same name and place as feature 1/),
    ])
  })
  it('with more or fewer cells than the header', async () => {
    expect(said(await take('name,lat,lon\nEins,47.56,7.59\nZwei,47,56,7,59\nDrei,47.5'))).toEqual([
      expect.stringMatching(/^line 3 \(Zwei\): refused: has 5 cells where the header has 3/),
      expect.stringMatching(/^line 4 \(Drei\): refused: has 2 cells where the header has 3/),
    ])
  })
})

describe('a row is mended, with a note', () => {
  const place = async () => {
    const { latitude, longitude } = await only()
    return [latitude, longitude]
  }
  it('when latitude and longitude are swapped', async () => {
    const report = await take(geojson(feature({ name: 'Bar' }, { type: 'Point', coordinates: [47.5601, 7.5897] })))
    expect(said(report)).toEqual(['feature 1 (Bar): note: had latitude and longitude swapped: put right'])
    expect(await place()).toEqual([47.5601, 7.5897])
  })
  it.each([
    ['at 0, 0', { type: 'Point', coordinates: [0, 0] }, 1],
    ['with half a position', { type: 'Point', coordinates: [7.5897] }, 1],
    ['with an empty position', { type: 'Point', coordinates: [] }, 0],
    ['with a position of nulls', { type: 'Point', coordinates: [null, null] }, 0],
    ['without geometry', null, 0],
  ])('%s it is taken without a location', async (_, geometry, notes) => {
    const report = await take(geojson(feature({ name: 'Bar' }, geometry)))
    expect(said(report)).toHaveLength(notes)
    expect(await place()).toEqual([null, null])
  })
  it('when it lies abroad it is taken as it is', async () => {
    expect(said(await take(geojson(feature({ name: 'Bar' }, { type: 'Point', coordinates: [13.4, 52.5] }))))).toEqual([
      expect.stringContaining('outside Switzerland'),
    ])
    expect(await place()).toEqual([52.5, 13.4])
  })
  it('when it is an area a point inside is taken, also of a horseshoe, a ring and several islands', async () => {
    const square = (x: number, y: number, size: number) => [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
      [x, y],
    ]
    const horseshoe = [
      [7, 47],
      [7.9, 47],
      [7.9, 47.9],
      [7.6, 47.9],
      [7.6, 47.1],
      [7.3, 47.1],
      [7.3, 47.9],
      [7, 47.9],
      [7, 47],
    ]
    const report = await take(
      geojson(
        feature({ osm: 'way/1', name: 'Square' }, { type: 'Polygon', coordinates: [square(7.5, 47.5, 0.1)] }),
        feature({ osm: 'way/2', name: 'Horseshoe' }, { type: 'Polygon', coordinates: [horseshoe] }),
        feature(
          { osm: 'way/3', name: 'Ring' },
          { type: 'Polygon', coordinates: [square(7, 47, 0.9), square(7.1, 47.1, 0.7)] },
        ),
        feature(
          { osm: 'way/4', name: 'Islands' },
          { type: 'MultiPolygon', coordinates: [[square(7, 47, 0.1)], [square(8, 47, 0.4)]] },
        ),
      ),
    )
    expect(said(report)).toHaveLength(4)
    const places = (await stored()).map(({ latitude, longitude }) => [longitude!, latitude!] as const)
    expect(places[0]).toEqual([7.55, 47.55])
    const [, [x, y], [ringX], island] = places as [never, [number, number], [number, number], [number, number]]
    expect(x < 7.3 || x > 7.6 || y < 47.1).toBe(true)
    expect(ringX < 7.1 || ringX > 7.8).toBe(true)
    expect(island).toEqual([8.2, 47.2])
  })
  it('when its name has white space to spare', async () => {
    await take(geojson(feature({ name: '  Bar \t\n Nord\u00a0' })))
    expect(await only()).toMatchObject({ business_name: 'Bar Nord' })
  })
  it('when a wrong encoding spoilt its name the name is taken and pointed out', async () => {
    expect(said(await take(geojson(feature({ name: 'CafÃ© Rhein' }))))).toEqual([
      expect.stringContaining('wrong encoding'),
    ])
  })
  it('when a less important text is too long that text is left out', async () => {
    const report = await take(
      geojson(feature({ name: 'Bar', address: 'x'.repeat(201), opening_hours: 'y'.repeat(501) })),
    )
    expect(said(report)).toHaveLength(2)
    expect(await only()).toMatchObject({ address: null, open_hours: null, hours_known: false })
  })
})

describe('whatever stands in a file', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '',
      ' ',
      'constructor',
      '__proto__',
      'NaN',
      '1e400',
      '24/7',
      "'; drop table businesses; --",
      '\u0000',
      '\ud800',
      '🍺'.repeat(80),
      '🍺'.repeat(81),
      'x'.repeat(600),
    ),
  )
  const value = fc.oneof({ weight: 5, arbitrary: text }, fc.double(), fc.constantFrom(null, true, [], {}, [7, 47], -0))
  const keys =
    'name betriebsname brand osm src objectid plz ort strasselang hnr address opening_hours phone website category kind shop betriebsstatus lat lon'.split(
      ' ',
    )
  const properties = fc
    .tuple(fc.constantFrom('Bar', 'Café', '食'), fc.dictionary(fc.constantFrom(...keys, '__proto__'), value))
    .map(([name, more]) => ({ name, ...more }))
  const geometry = fc.oneof(
    fc.constantFrom(null, undefined, {}, onTheBridge),
    fc.record({
      type: fc.constantFrom('Point', 'Polygon', 'MultiPolygon', 'x'),
      coordinates: fc.oneof(
        fc.anything(),
        fc.array(value),
        fc.array(fc.array(fc.array(fc.double(), { maxLength: 3 }))),
      ),
    }),
  )

  it('each row is taken or refused, none is lost, and a second time nothing changes', async () => {
    const rows = fc.sample(
      fc.oneof(
        { weight: 20, arbitrary: fc.tuple(properties, geometry).map(([p, g]) => feature(p, g)) },
        fc.jsonValue(),
      ),
      { numRuns: 1500, seed: 7 },
    )
    const asText = geojson(...JSON.parse(JSON.stringify(rows, (_, it) => (typeof it === 'bigint' ? String(it) : it))))
    const { counts } = await take(asText)
    expect(counts.new).toBeGreaterThan(100)
    expect(counts).toEqual({
      read: 1500,
      new: (await stored()).length,
      changed: 0,
      same: 0,
      refused: 1500 - counts.new,
    })
    const before = await stored()
    expect((await take(asText)).counts).toMatchObject({ new: 0, changed: 0, same: counts.new })
    expect(await stored()).toEqual(before)
  })
})

describe('CSV', () => {
  it.each([
    ['commas', 'name,ort\n"Nord, Bar",Basel\n'],
    ['semicolons', 'name;ort\r\nNord, Bar;Basel\r\n'],
    ['tabs', 'name\tort\nNord, Bar\tBasel'],
    ['old line ends', 'name;ort\rNord, Bar;Basel\r'],
    ["Excel's line about the separator", 'sep=;\nname;ort\nNord, Bar;Basel\n'],
    ['a byte order mark', '\ufeffname;ort\nNord, Bar;Basel\n'],
    ['empty lines', '\n\nname;ort\n\n;\nNord, Bar;Basel\n\n'],
    ['capitals in its header', ' Betriebsname ;ORT\nNord, Bar;Basel\n'],
  ])('is read with %s', async (_, content) => {
    expect(total(await take(content))).toBe('1 read, 1 new, 0 changed, 0 same, 0 refused')
    expect(await only()).toMatchObject({ business_name: 'Nord, Bar', address: 'Basel' })
  })
  it('has cells of several lines and quotes in quotes, and lines are counted right after them', async () => {
    const report = await take('name,address\n"Bar ""Nord""","Rheingasse 1\n4058 Basel"\n,\n,nowhere\n')
    expect(await only()).toMatchObject({ business_name: 'Bar "Nord"', address: 'Rheingasse 1 4058 Basel' })
    expect(said(report)).toEqual(['line 5 (no name): refused: has no name'])
  })
  it('keeps formulas as the plain text they are', async () => {
    await take('name,address\n"=HYPERLINK(""http://x.example"",""Bar"")","@SUM(1+1)*cmd|\'/C calc\'!A0"\n')
    expect(await only()).toMatchObject({
      business_name: '=HYPERLINK("http://x.example","Bar")',
      address: "@SUM(1+1)*cmd|'/C calc'!A0",
    })
  })
  it('has positions with decimal commas, or in one column', async () => {
    await take('osm;name;lat;lon;geo_point_2d\nnode/1;Eins;47,5601;7,5897;\nnode/2;Zwei;;;47.5601, 7.5897\n')
    expect((await stored()).map(({ latitude, longitude }) => [latitude, longitude])).toEqual([
      [47.5601, 7.5897],
      [47.5601, 7.5897],
    ])
  })
  it('that is not in UTF-8 is read as Windows-1252, and the file has a note', async () => {
    const windows = Buffer.from('name;ort\nCaf\xe9 \x96 \x93Bar\x94;Z\xfcrich\n', 'latin1')
    const file = parseImportFile(windows)
    expect(file.notes).toEqual(['The file is not in UTF-8; it was read as Windows-1252.'])
    await importBusinesses(room(), file)
    expect(await only()).toMatchObject({ business_name: 'Café – “Bar”', address: 'Zürich' })
  })
  it('that Excel wrote as Unicode text is read', async () => {
    await take(Buffer.from('\ufeffname\tort\nCafé\tZürich\n', 'utf16le'))
    expect(await only()).toMatchObject({ business_name: 'Café', address: 'Zürich' })
  })
  it('with NUL in a cell has that row refused', async () => {
    expect(said(await take('name,ort\nEins,Basel im Sommer\nZw\0ei,Basel im Winter\n'))).toEqual([
      'line 3 (Zw ei): refused: its name holds control characters',
    ])
  })
})

describe('a file is refused as a whole', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['that is empty', '', /is empty/],
    ['of white space', '\ufeff \n\n', /is empty/],
    ['of GeoJSON cut off in a text', geojson(feature(barNord)).slice(0, 60), /ends in the middle, after 60 characters/],
    ['of GeoJSON cut off between rows', geojson(feature(barNord), feature(barNord)).slice(0, -3), /truncated/],
    ['of JSON with a fault', '{"features":[{]}', /no valid JSON: .*position 14/],
    ['of other JSON', '{"name":"Bar"}', /no list "features"/],
    ['of a JSON list', '[1]', /no list "features"/],
    ['without features', geojson(), /holds no features/],
    ['of GeoJSON in Latin-1', Buffer.from(geojson(feature({ name: 'Café' })), 'latin1'), /not in UTF-8/],
    ['of CSV without rows', 'name,lat,lon\n', /no rows below its header/],
    ['of CSV without a column of names', 'titel,ort\nEins,Basel\n', /no column "name"/],
    [
      'of CSV with an open quote',
      'name,ort\nEins,Basel\n"Zwei,Basel\nDrei,Basel\nVier,Basel\n',
      /row of line 3 opens a quote that is never closed/,
    ],
    [
      'of CSV with a stray quote, which may swallow rows',
      'name,ort\n"Eins,Basel\n"Zwei",Basel\n',
      /Line 3 has a quote in the wrong place/,
    ],
    ['of Excel', Buffer.from('PK\u0003\u0004xlsx'), /Excel or ZIP/],
    ['that is a picture', new Uint8Array(400).fill(7, 0, 100), /not a text file/],
  ])('%s', async (_, content, reason) => {
    await expect(async () => take(content)).rejects.toThrow(UnreadableFile)
    await expect(async () => take(content)).rejects.toThrow(reason)
    expect(await stored()).toEqual([])
  })
  it('of 200 MB, without being read', async () => {
    const path = join(folder, 'huge.geojson')
    writeFileSync(path, '{"type":"FeatureCollection","features":[')
    truncateSync(path, 200 * 2 ** 20)
    const began = performance.now()
    await expect(readImportFile(path)).rejects.toThrow('The file has 200 MB; 64 MB is the most.')
    expect(performance.now() - began).toBeLessThan(500)
  })
  it('that does not exist, or is a folder', async () => {
    await expect(readImportFile(join(folder, 'nothing'))).rejects.toThrow('there is no such file')
    await expect(readImportFile(folder)).rejects.toThrow('is not a file')
  })
})

describe('the report', () => {
  it('ends with its counts, and each row that is not taken stands in it', async () => {
    const report = await take(
      geojson(
        feature(barNord),
        feature({ osm: 'node/2' }),
        feature({ osm: 'node/3', name: 'Rosso', oeffnungszeit: 'frei' }),
      ),
    )
    expect(reportLines(report)).toEqual([
      'feature 2 (no name): refused: has no name (osm: node/2)',
      expect.stringMatching(/^feature 3 \(Rosso\): note: “frei” shows as “Hours unknown”/),
      'Opening hours: 1 understood, 1 shown as unknown, 0 not given.',
      '3 read, 2 new, 0 changed, 0 same, 1 refused',
    ])
  })
  it('sends nothing to a terminal that the terminal would obey', async () => {
    const report = await take(
      geojson(feature({ name: 'Bar\u001b]0;x\u0007' }), feature({ name: 'Gut', kind: 'a\u2028b' })),
    )
    expect(reportLines(report).join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/)
  })
})

describe('the command', () => {
  const run = async (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir }
    const command = ['src/app/import.ts', ...args]
    const { stdout, stderr, code } = await promisify(execFile)(process.execPath, command, { env }).then(
      (ended) => ({ ...ended, code: 0 }),
      (ended: { stdout: string; stderr: string; code: number }) => ended,
    )
    return { code, stderr, last: stdout.trimEnd().split('\n').at(-1) }
  }
  it('imports beside a running server, fills the openings, and the page is there', async () => {
    const path = join(folder, 'two.geojson')
    writeFileSync(path, geojson(feature(barNord), feature({ osm: 'node/2' })))
    expect(await run('businesses', path, '--dry-run')).toMatchObject({
      code: 0,
      last: '2 read, 1 new, 0 changed, 0 same, 1 refused',
    })
    expect(await stored()).toEqual([])
    expect(await run('businesses', path, '--source', 'test')).toMatchObject({
      code: 0,
      last: '2 read, 1 new, 0 changed, 0 same, 1 refused',
    })
    const row = await only()
    expect(row).toMatchObject({ source_id: 'test:node/1', hours_known: true })
    expect(row.hours_filled_until).not.toBeNull()
  })
  it('ends with 2 when nothing can be imported', async () => {
    const path = join(folder, 'bad.csv')
    writeFileSync(path, 'name,ort\n,Basel\n')
    expect(await run('businesses', path)).toMatchObject({
      code: 2,
      last: '1 read, 0 new, 0 changed, 0 same, 1 refused',
    })
    expect(await run('businesses', join(folder, 'nothing'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no such file'),
      last: '0 read, 0 new, 0 changed, 0 same, 0 refused',
    })
  })
  it.each([
    [[]],
    [['businesses']],
    [['deals', 'x']],
    [['businesses', 'x', '--canton', 'XX']],
    [['businesses', 'x', '--source', 'a:b']],
    [['businesses', 'x', '--nope']],
  ])('ends with 1 and a sentence for %j', async (args) => {
    expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(/\w/), last: '' })
  })
})

const places = new URL('../../../../shared/data/places/', import.meta.url)

describe.skipIf(!existsSync(places))('the real files of shared/data/places', () => {
  const counts = (report: ImportReport) => report.counts
  const spread = async () => {
    const rows = await stored()
    return Object.fromEntries(
      [...Map.groupBy(rows, ({ category }) => category)].map(([category, { length }]) => [category, length]),
    )
  }
  it.each([
    ['zuerich-gastwirtschaften.geojson', 3463, 0, { food: 2389, shopping: 1051, nightlife: 18, culture: 5 }],
    ['basel-laeden-osm.geojson', 229, 5, { shopping: 161, wellness: 63 }],
    ['basel-kultur-ogd.geojson', 105, 0, { culture: 105 }],
  ])('%s is taken whole, and a second time changes nothing', async (name, read, refused, categories) => {
    const file = await readImportFile(fileURLToPath(new URL(name, places)))
    const began = performance.now()
    const first = await importBusinesses(room(), file)
    const seconds = (performance.now() - began) / 1000
    console.log(`${name}: ${seconds.toFixed(2)} s`)
    expect(counts(first)).toEqual({ read, new: read - refused, changed: 0, same: 0, refused })
    expect(first.remarks.filter(({ kind }) => kind === 'refused')).toHaveLength(refused)
    expect(await stored()).toHaveLength(read - refused)
    expect(await spread()).toEqual(categories)
    expect(counts(await importBusinesses(room(), file))).toEqual({
      read,
      new: 0,
      changed: 0,
      same: read - refused,
      refused,
    })
    expect(seconds).toBeLessThan(5)
  })
  it('all 189 opening hours of Basel are understood, and late licences of Zurich are not taken for hours', async () => {
    const basel = await importBusinesses(
      room(),
      await readImportFile(fileURLToPath(new URL('basel-laeden-osm.geojson', places))),
    )
    expect(basel.hours).toEqual({ understood: 189, unknown: 0, absent: 35 })
    const zurich = await importBusinesses(
      room(),
      await readImportFile(fileURLToPath(new URL('zuerich-gastwirtschaften.geojson', places))),
    )
    expect(zurich.hours.understood + zurich.hours.unknown).toBe(542)
    expect(zurich.hours.understood).toBeLessThan(5)
  })
  it('Zurich keeps its licence wording and its holidays', async () => {
    await importBusinesses(room(), parseImportFile(readFileSync(new URL('zuerich-gastwirtschaften.geojson', places))))
    const rows = await stored()
    expect(rows.filter(({ canton }) => canton === 'ZH').length).toBe(3463)
    expect(rows.filter(({ open_hours }) => open_hours === '0400/Frei').length).toBeGreaterThan(130)
    const { body } = await api(
      app,
      `/api/business/${rows.find(({ open_hours }) => open_hours === '0400/Frei')!.business_id}`,
    )
    expect(body).toMatchObject({
      claimed: false,
      open_now: null,
      open_hours: '0400/Frei',
      category: expect.any(String),
    })
  })
})
