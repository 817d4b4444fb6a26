import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addBusiness } from '../../../test/cast.ts'
import {
  barNord,
  feature,
  fileMessages,
  geojson,
  hoursIn,
  onTheBridge,
  reportLines,
  rowMessages,
  total,
  useImports,
} from '../../../test/importing.ts'
import { get } from '../../../test/people.ts'
import { aModerator } from '../../../test/staff.ts'
import { api } from '../../../test/start-app.ts'
import type { AuditEntry } from '../../staff/contract.ts'
import { TooFarAway } from '../../staff/server/far-away.ts'
import { fillOpenings } from './businesses.ts'

const at = useImports()
const { room, take, stored, only } = at

describe('an imported merchant', () => {
  it('is unclaimed: it has a public page, but no email, no paid tier and no deals', async () => {
    await take(
      geojson(
        feature({
          ...barNord,
          email: 'private@example.org',
          description: 'By the river\nwith music',
          subscription_tier: 'ULTIMATE',
        }),
      ),
    )
    const row = await only()
    expect(row).toMatchObject({
      claimed: false,
      email: null,
      description: 'By the river\nwith music',
      subscription_tier: 'FREE',
      featured_until: null,
    })
    const { status, body } = await api(at.app, `/api/business/${row.business_id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      business_name: 'Bar Nord',
      category: 'drinks',
      claimed: false,
      latitude: 47.5601,
      longitude: 7.5897,
    })
    expect((await api(at.app, '/api/business?q=nord')).body[0]).toMatchObject({
      business_name: 'Bar Nord',
      live_deals: 0,
    })
  })
  it('is open by its hours once the openings are filled', async () => {
    const report = await take(geojson(feature(barNord)))
    expect(hoursIn(report)).toEqual({ understood: 1, unknown: 0, absent: 0 })
    await fillOpenings(room())
    const { body } = await api(at.app, `/api/business/${(await only()).business_id}`)
    expect(body).toMatchObject({ open_now: true, open_until: '2026-06-21T00:00:00.000Z' })
  })
  it('with hours in free words keeps them and has unknown hours; the report says so once for all', async () => {
    const report = await take(
      geojson(...[1, 2, 3].map((n) => feature({ objectid: n, name: `Club ${n}`, oeffnungszeit: '0400/Frei' }))),
    )
    expect(rowMessages(report)).toEqual([
      expect.stringMatching(
        /^feature 1 \(Club 1\): note: “0400\/Frei” shows as “Hours unknown”. Write hours as .* \(and 2 more rows\)$/,
      ),
    ])
    expect(hoursIn(report)).toEqual({ understood: 0, unknown: 3, absent: 0 })
    await fillOpenings(room())
    const { body } = await api(at.app, `/api/business/${(await only()).business_id}`)
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
  it('has its own slug, also beside others of its name', async () => {
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
  it('without a name has its brand as the name', async () => {
    expect(rowMessages(await take(geojson(feature({ osm: 'node/1', name: null, brand: 'Denner' }))))).toEqual([
      'feature 1 (Denner): note: has no name: its brand is used',
    ])
    expect(await only()).toMatchObject({ business_name: 'Denner' })
  })
  it('has a phone and a website only if they are valid', async () => {
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
    expect(rowMessages(report).filter((line) => line.endsWith('left out'))).toHaveLength(2)
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
  it('changes only fields that differ, and keeps id, slug and page', async () => {
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
    expect((await api(at.app, `/api/business/${bar!.business_id}`)).body).toMatchObject({
      open_now: false,
      opens_at: '2026-06-21T08:00:00.000Z',
    })
  })
  it('that only changes the name keeps the openings', async () => {
    await take(first)
    await fillOpenings(room())
    await take(geojson(feature({ ...barNord, name: 'Bar Süd' })))
    expect((await only()).hours_filled_until).not.toBeNull()
  })
  it('never touches a merchant that somebody claimed', async () => {
    await take(first)
    await at.app.db
      .updateTable('businesses')
      .set({ claimed: true, business_name: 'Bar Nord am Rhein' })
      .where('source_id', '=', 'osm:node/1')
      .execute()
    const before = await stored()
    const report = await take(geojson(feature({ ...barNord, name: 'Bar Alt' })), { at: '2026-06-25T12:00:00Z' })
    expect(total(report)).toBe('1 read, 0 new, 0 changed, 1 same, 0 refused')
    expect(rowMessages(report)).toEqual([
      expect.stringContaining('feature 1 (Bar Alt): note: is managed by its merchant'),
    ])
    expect(await stored()).toEqual(before)
  })
  it('never touches a merchant that was not imported', async () => {
    await addBusiness(at.app.db, 'Bar Nord')
    const before = await stored()
    expect(total(await take(first))).toContain('2 new')
    expect((await stored()).find(({ source_id }) => source_id === null)).toEqual(before[0])
  })
  it('matches rows without an id by name and position', async () => {
    const csv = 'name,lat,lon\nEins,47.56,7.59\nEins,47.57,7.59\n'
    expect(total(await take(csv))).toBe('2 read, 2 new, 0 changed, 0 same, 0 refused')
    expect(total(await take(csv))).toBe('2 read, 0 new, 0 changed, 2 same, 0 refused')
  })
  it('matches rows of a GeoJSON file that comes as CSV', async () => {
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
  it.each([
    ['a table', (name: string) => `id,name,address\n1,${name},Rheingasse 1\n2,Zwei,Rheingasse 2\n`],
    ['GeoJSON', (name: string) => geojson(feature({ id: 1, name }), feature({ id: 2, name: 'Zwei' }))],
    [
      'GeoJSON with the id beside the properties',
      (name: string) => geojson({ ...feature({ name }), id: 1 }, { ...feature({ name: 'Zwei' }), id: 2 }),
    ],
  ])('of %s finds a merchant by the column “id”, whatever it is called now', async (_, file) => {
    expect(total(await take(file('Eins')))).toBe('2 read, 2 new, 0 changed, 0 same, 0 refused')
    const [one] = await stored()
    expect(total(await take(file('Uno')))).toBe('2 read, 0 new, 1 changed, 1 same, 0 refused')
    expect(await stored()).toMatchObject([
      { business_id: one!.business_id, source_id: 'list:1', business_name: 'Uno' },
      { source_id: 'list:2', business_name: 'Zwei' },
    ])
  })
  it('with two rows of one id refuses the second and names the first', async () => {
    const report = await take('id,name\n1,Eins\n1,Zwei\n')
    expect(total(report)).toBe('2 read, 1 new, 0 changed, 0 same, 1 refused')
    expect(rowMessages(report)).toContain('line 3 (Zwei): refused: has the same id as line 2 (list:1)')
  })
  it('of another file with the same plain ids is another list', async () => {
    await take('objectid,name,lat,lon\n1,Eins,47.56,7.59\n', { fileName: 'first.csv' })
    const other = geojson(feature({ OBJECTID: 1, name: 'Ganz anders' }))
    expect(total(await take(other, { fileName: 'second list.geojson' }))).toContain('1 new')
    expect((await stored()).map(({ source_id }) => source_id)).toEqual(['first:1', 'second-list:1'])
  })
  it('of another list in a file of the same name is refused, unless a source is given', async () => {
    await take('objectid,name,lat,lon\n1,Eins,47.56,7.59\n', { fileName: 'export.csv' })
    const other = 'objectid,name,lat,lon\n1,Ganz anders,47.38,8.54\n'
    const report = await take(other, { fileName: 'export.csv' })
    expect(total(report)).toBe('1 read, 0 new, 0 changed, 0 same, 1 refused')
    expect(rowMessages(report)).toEqual([
      expect.stringContaining('line 2 (Ganz anders): refused: export:1 is already the id of “Eins” elsewhere'),
    ])
    expect(total(await take(other, { source: 'zweite' }))).toContain('1 new')
  })
  it('finds merchants that an earlier release imported under another source', async () => {
    await take('id,name,address\n1,Eins,Rheingasse 1\n', { source: 'id' })
    const [before] = await stored()
    const report = await take('id,name,address\n1,Eins,Rheingasse 2\n', { fileName: 'merchants.csv' })
    expect(total(report)).toBe('1 read, 0 new, 1 changed, 0 same, 0 refused')
    expect(rowMessages(report)).toEqual(['line 2 (Eins): changed: address'])
    expect(await stored()).toMatchObject([{ business_id: before!.business_id, source_id: 'id:1' }])
  })
})

describe('the log of staff', () => {
  it('has one entry for an import that changed something, and none for others', async () => {
    const entries = () =>
      at.app.db.selectFrom('audit_entries').selectAll().where('action', '=', 'import-businesses').execute()
    const token = await aModerator(at.app)
    const before = await entries()
    const first = geojson(feature(barNord), feature({ osm: 'node/2' }))
    await take(first, { dryRun: true, fileName: 'bars.geojson' })
    expect(await entries()).toEqual(before)
    await take(first, { fileName: 'bars.geojson', source: 'bars' })
    await take(first, { fileName: 'bars.geojson', source: 'bars' })
    expect(await entries()).toHaveLength(before.length + 1)
    const { body } = await get(at.app, '/api/admin/log?action=import-businesses&limit=100', token)
    const entry = (body as AuditEntry[]).find(({ object_name }) => object_name === 'bars.geojson')!
    expect(entry).toMatchObject({
      actor: 'command',
      account_id: null,
      object_kind: 'import',
      object_id: null,
      object_name: 'bars.geojson',
      before: null,
      after: { source: 'bars', read: 2, new: 1, changed: 0, same: 0, refused: 1 },
      can_undo: true,
    })
  })
})

describe('a list far from the festival', () => {
  const zurich = { type: 'Point', coordinates: [8.54, 47.37] }
  const list = geojson(feature({ id: 1, name: 'Near' }), feature({ id: 2, name: 'Far' }, zurich))

  it('is imported only if that is meant; a dry run says how many and how far', async () => {
    const dry = await take(list, { dryRun: true, far: false })
    expect(dry.far).toEqual({ n: 1, of: 2, km: 74 })
    expect(fileMessages(dry)).toContain('list: note: 1 of 2 places are about 74 km from the festival.')
    await expect(take(list, { far: false })).rejects.toThrow(TooFarAway)
    expect(await stored()).toEqual([])
    expect(total(await take(list, { far: true }))).toContain('2 new')
  })
  it('is not asked about again while nothing far changes', async () => {
    await take(list, { far: true })
    expect(total(await take(list, { far: false }))).toBe('2 read, 0 new, 0 changed, 2 same, 0 refused')
    expect(total(await take(list.replace('Near', 'Nearer'), { far: false }))).toContain('1 changed')
    await expect(take(list.replace('Far', 'Farther'), { far: false })).rejects.toThrow(TooFarAway)
  })
})

describe('all or nothing', () => {
  it('a dry run says what would happen and writes nothing', async () => {
    const report = await take(geojson(feature(barNord), feature({ osm: 'node/2' })), { dryRun: true })
    expect(total(report)).toBe('2 read, 1 new, 0 changed, 0 same, 1 refused')
    expect(await stored()).toEqual([])
  })
  it('a failure in the last batch rolls back the whole import', async () => {
    const features = Array.from({ length: 1100 }, (_, n) => feature({ osm: `node/${n}`, name: `Stand ${n}` }))
    await take(geojson(features.at(-1)))
    const { slug } = await only()
    await at.app.db.deleteFrom('businesses').execute()
    await addBusiness(at.app.db, 'In the way', { slug })
    await expect(take(geojson(...features))).rejects.toThrow('businesses_slug_key')
    expect(await stored()).toHaveLength(1)
  })
  it('two imports at once insert each row once', async () => {
    const file = geojson(...Array.from({ length: 700 }, (_, n) => feature({ osm: `node/${n}`, name: `Stand ${n}` })))
    const totals = (await Promise.all([take(file), take(file)])).map(total)
    expect(totals).toHaveLength(2)
    expect(new Set(totals)).toEqual(
      new Set(['700 read, 0 new, 0 changed, 700 same, 0 refused', '700 read, 700 new, 0 changed, 0 same, 0 refused']),
    )
  })
})

describe('any file', () => {
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

  it('has each row imported or refused, none lost, and changes nothing the second time', async () => {
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

describe('the report', () => {
  it('lists each refused row and ends with the counts', async () => {
    const report = await take(
      geojson(
        feature(barNord),
        feature({ osm: 'node/2' }),
        feature({ osm: 'node/3', name: 'Rosso', oeffnungszeit: 'frei' }),
      ),
    )
    expect(reportLines(report)).toEqual([
      'list: note: Opening hours: 1 understood, 1 shown as unknown, 0 not given.',
      'feature 2: refused: has no name (osm: node/2)',
      expect.stringMatching(/^feature 3 \(Rosso\): note: “frei” shows as “Hours unknown”/),
      '3 read, 2 new, 0 changed, 0 same, 1 refused',
    ])
  })
  it('has no control characters that a terminal would obey', async () => {
    const report = await take(
      geojson(feature({ name: 'Bar\u001b]0;x\u0007' }), feature({ name: 'Gut', kind: 'a\u2028b' })),
    )
    expect(reportLines(report).join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/)
  })
})
