import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { aVisitor, get } from '../../../test/people.ts'
import { aModerator, undoConfirmed } from '../../../test/staff.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { forgetImportChanges } from '../../staff/server/import-changes.ts'
import type { ListReport } from '../../staff/contract.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await startTestApp()
  token = await aModerator(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.db.deleteFrom('businesses').execute()
  await app.db.deleteFrom('useful_places').execute()
})

const upload = (
  what: 'merchants' | 'places',
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  how: Record<string, string> = {},
  headers: Record<string, string> = {},
) => {
  const form = new FormData()
  for (const [field, value] of Object.entries(how)) form.set(field, value)
  form.set('file', new Blob([content]), name)
  return api(app, `/api/admin/${what}/import`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
}
const table = (...rows: string[]) => `id;Name;Adresse;Breite;Länge\n${rows.join('\n')}\n`
const bar = '1;Bar Nord;Rheingasse 1;47,5601;7,5897'
const cafe = '2;Café Süd;Rheingasse 2;47,5602;7,5898'
const stored = () =>
  app.db
    .selectFrom('businesses')
    .select(['business_id', 'slug', 'source_id', 'business_name', 'address', 'latitude', 'created_at'])
    .orderBy('source_id')
    .execute()
const newest = async () => (await get(app, '/api/admin/log?limit=1', token)).body[0] as { entry_id: string }

it('staff import merchants in the browser: first numbers, then the merchants, and a second time nothing changes', async () => {
  const dry = await upload('merchants', 'bars.csv', table(bar, cafe, '3;;Nirgends;;'), { dry_run: 'true' })
  expect(dry.body).toMatchObject({
    entry_id: null,
    source: 'bars',
    counts: { read: 3, new: 2, changed: 0, same: 0, refused: 1 },
    far: null,
  })
  expect(await stored()).toEqual([])
  const german = await upload(
    'merchants',
    'bars.csv',
    table(bar, cafe, '3;;Nirgends;;'),
    {},
    { 'accept-language': 'de' },
  )
  expect((german.body as ListReport).remarks).toContainEqual({
    kind: 'refused',
    place: 'Zeile 4',
    title: '',
    text: 'hat keinen Namen (id: 3)',
  })
  expect(await stored()).toHaveLength(2)
  expect((await upload('merchants', 'bars.csv', table(bar, cafe))).body.counts).toMatchObject({ changed: 0, same: 2 })
})

it('an import is undone and done again with the same ids and addresses, as often as wanted', async () => {
  await upload('merchants', 'bars.csv', table(bar, cafe))
  const before = await stored()
  let { entry_id } = await newest()
  for (const _ of [1, 2]) {
    expect((await undoConfirmed(app, token, entry_id)).body).toMatchObject({ reach: { kind: 'business', hidden: 2 } })
    expect(await stored()).toEqual([])
    entry_id = (await newest()).entry_id
    expect((await undoConfirmed(app, token, entry_id)).body).toMatchObject({ reach: { kind: 'business', shown: 2 } })
    expect(await stored()).toEqual(before)
    entry_id = (await newest()).entry_id
  }
})

it('the undo gives changed merchants their values of before, and the redo the new ones', async () => {
  await upload('merchants', 'bars.csv', table(bar, cafe))
  const before = await stored()
  const { body } = await upload('merchants', 'bars.csv', table(bar.replace('Rheingasse 1', 'Webergasse 9'), cafe))
  expect(body.counts).toMatchObject({ changed: 1, same: 1 })
  const after = await stored()
  expect(after).not.toEqual(before)
  expect((await undoConfirmed(app, token, body.entry_id)).body.reach).toMatchObject({ changed: 1 })
  expect(await stored()).toEqual(before)
  await undoConfirmed(app, token, (await newest()).entry_id)
  expect(await stored()).toEqual(after)
})

it('what was claimed, saved or imported again since stays and is named', async () => {
  const rows = ['1;Eins;;;', '2;Zwei;;;', '3;Drei;;;', '4;Vier;;;']
  const { body } = await upload('merchants', 'bars.csv', table(...rows))
  const [one, two] = await stored()
  await app.db.updateTable('businesses').set({ claimed: true }).where('business_id', '=', one!.business_id).execute()
  await aVisitor(app)
  const { account_id } = await app.db.selectFrom('accounts').select('account_id').executeTakeFirstOrThrow()
  const saved = { account_id, kind: 'business', subject_id: two!.business_id, saved_at: new Date() }
  await app.db.insertInto('favorites').values(saved).execute()
  await upload('merchants', 'bars.csv', table('3;Drei neu;;;'))
  const undone = await undoConfirmed(app, token, body.entry_id)
  expect(undone.body.reach).toMatchObject({ hidden: 1 })
  expect(undone.body.kept.toSorted()).toEqual(['Drei', 'Eins', 'Zwei'])
  expect((await stored()).map(({ business_name }) => business_name)).toEqual(['Eins', 'Zwei', 'Drei neu'])
})

it('a redo is refused after the file was imported again, and names that import', async () => {
  const { body } = await upload('merchants', 'bars.csv', table(bar, cafe))
  await undoConfirmed(app, token, body.entry_id)
  const undo = await newest()
  await upload('merchants', 'bars.csv', table(bar, cafe))
  const refused = await undoConfirmed(app, token, undo.entry_id)
  expect(refused.body).toMatchObject({
    code: 'changed_later',
    error: expect.stringContaining('imported “bars.csv” later'),
  })
  expect(await stored()).toHaveLength(2)
})

it('a list far from the festival needs a yes', async () => {
  const far = table('1;Eins;;47,37;8,54', '2;Zwei;;47,37;8,55')
  expect((await upload('merchants', 'zh.csv', far, { dry_run: 'true' })).body.far).toMatchObject({ n: 2, of: 2 })
  const refused = await upload('merchants', 'zh.csv', far)
  expect(refused).toMatchObject({ status: 409, body: { code: 'too_far_away' } })
  expect(refused.body.error).toMatch(/^2 of 2 places are about 7\d km from the festival\. Nothing was imported\./)
  expect(await stored()).toEqual([])
  expect((await upload('merchants', 'zh.csv', far, { far: 'true' })).body.counts).toMatchObject({ new: 2 })
})

it('several changes need the confirmed number, and a retry with the same key acts once', async () => {
  await upload('merchants', 'bars.csv', table(bar, cafe))
  const other = table(bar, cafe).replaceAll('Rheingasse', 'Webergasse')
  expect((await upload('merchants', 'bars.csv', other)).body.code).toBe('unconfirmed')
  const key = { 'idempotency-key': 'change-1' }
  const first = await upload('merchants', 'bars.csv', other, { confirmed: '2' }, key)
  expect(first.body.counts).toMatchObject({ changed: 2 })
  expect((await upload('merchants', 'bars.csv', other, { confirmed: '2' }, key)).body).toEqual(first.body)
})

it.each([
  ['a ZIP file', 'PK\u0003\u0004zip', /ZIP file, but not a readable Excel workbook/],
  ['a web page', '<!doctype html><title>Log in</title>', /is a web page/],
  ['nested JSON', `{"type":"FeatureCollection","features":${'['.repeat(100_000)}`, /^The file/],
  ['an endless line', `name,ort\n${'x'.repeat(2_000_000)}`, /more than 1,000,000 characters/],
  ['more rows than a request may bring', `name,ort\n${'a,b\n'.repeat(5001)}`, /more than 5,000 rows/],
])('%s is refused with a sentence', async (_, content, sentence) => {
  for (const what of ['merchants', 'places'] as const) {
    const { status, body } = await upload(what, 'list', content)
    expect([status, body.code]).toEqual([422, 'list_unreadable'])
    expect(body.error).toMatch(sentence)
  }
})

it('places are imported, undone and done again with the same ids', async () => {
  const list =
    'Art;Bezeichnung;Breite;Länge;Farbe\nWC;WC Steg;47,56;7,59;rot\nTrinkwasser;;47,561;7,591;\nKiosk;Bar;47,56;7,59;\n'
  const { body } = await upload('places', 'orte.csv', list)
  expect(body.counts).toMatchObject({ read: 3, new: 2, refused: 1 })
  expect((body as ListReport).remarks.map(({ text }) => text)).toContain('Not read: Farbe.')
  const places = () =>
    app.db.selectFrom('useful_places').select(['place_id', 'source_id']).orderBy('source_id').execute()
  const before = await places()
  expect((await undoConfirmed(app, token, body.entry_id)).body.reach).toMatchObject({ kind: 'place', hidden: 2 })
  expect(await places()).toEqual([])
  await undoConfirmed(app, token, (await newest()).entry_id)
  expect(await places()).toEqual(before)
  expect((await upload('places', 'orte.csv', list)).body.counts).toMatchObject({ same: 2 })
})

it('an import can be undone for 30 days; then its rows of before are deleted, and those of later imports stay', async () => {
  const now = app.now()
  onTestFinished(() => app.setNow(now.toString()))
  const earlier = await upload('merchants', 'bars.csv', table(bar))
  app.setNow(now.add({ hours: 24 }).toString())
  token = await aModerator(app, 'later@example.org')
  const later = await upload('merchants', 'bars.csv', table(bar, cafe))
  const entries = [earlier, later].map(({ body }) => body.entry_id as string)
  const afterHours = async (hours: number) => {
    app.setNow(now.add({ hours }).toString())
    await forgetImportChanges({ db: app.db, clock: app })
    token = await aModerator(app, `after-${hours}@example.org`)
    const log = (await get(app, '/api/admin/log?limit=10', token)).body as { entry_id: string; can_undo: boolean }[]
    const kept = await app.db.selectFrom('import_changes').select('entry_id').where('entry_id', 'in', entries).execute()
    return entries.map((id) => [
      log.find(({ entry_id }) => entry_id === id)!.can_undo,
      kept.filter(({ entry_id }) => entry_id === id).length,
    ])
  }
  expect(await afterHours(29 * 24)).toEqual([
    [true, 1],
    [true, 1],
  ])
  // the later import is an hour younger than 30 days
  expect(await afterHours(31 * 24 - 1)).toEqual([
    [false, 0],
    [true, 1],
  ])
  expect(await undoConfirmed(app, token, entries[0]!)).toMatchObject({ status: 409, body: { code: 'cannot_undo' } })
  expect((await undoConfirmed(app, token, entries[1]!)).body).toMatchObject({ reach: { hidden: 1 } })
})
