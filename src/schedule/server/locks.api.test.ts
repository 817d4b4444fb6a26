import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addEvent, addStage } from '../../../test/cast.ts'
import { aVisitor, post, type Person } from '../../../test/people.ts'
import { aModerator } from '../../../test/staff.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { removeDeletedEvents } from '../../events/server/events.ts'
import { lockEvents } from '../../events/server/store.ts'
import { schedulePersonalData } from './personal-data.ts'

let app: TestApp
let lena: Person
let noah: Person
/** Events, in the order of their ids. */
let first: string
let second: string
beforeAll(async () => {
  app = await startTestApp()
  lena = await aVisitor(app)
  noah = await aVisitor(app, 'noah@example.org')
})
afterAll(() => app.close())

const twoEvents = async () => {
  const made = [
    await addEvent(app.db, 'Glasshouse', '2026-06-20T20:00:00Z'),
    await addEvent(app.db, 'Hochwasser', '2026-06-20T22:00:00Z'),
  ]
  ;[first, second] = made.toSorted() as [string, string]
}
const save = async ({ authToken }: Person, event_id: string, more: object = {}) => {
  const wish = { event_id, reminders: [30], ...more }
  const { status, body } = await post(app, '/api/schedule', wish, { token: authToken })
  return { status, entry: body.entry?.entry_id as string }
}
const untilSomeWait = (howMany: number) =>
  vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
    expect(rows).toHaveLength(howMany)
  }, 30_000)

/** Makes requests while staff hold the first event, and checks the locks once all requests wait for it. */
async function whileStaffHoldIt<Answer>(ask: () => Promise<Answer>[], look: (trx: Sql) => Promise<unknown>) {
  let asked: Promise<Answer>[] = []
  try {
    await app.db.transaction().execute(async (trx) => {
      await lockEvents(trx, [first])
      asked = ask()
      await untilSomeWait(asked.length)
      await look(trx)
    })
  } finally {
    await Promise.allSettled(asked)
  }
  return Promise.all(asked)
}
const moveIt = async (trx: Sql) => {
  // no other transaction has locked rows that belong to the event
  for (const table of ['schedule_entries', 'schedule_reminders'])
    await sql`select from ${sql.table(table)} where event_id = ${first} for update nowait`.execute(trx)
  await sql`update events set starts_at = starts_at + interval '30 minutes' where event_id = ${first}`.execute(trx)
}
const secondIsFree = (trx: Sql) => sql`select from events where event_id = ${second} for update nowait`.execute(trx)

describe('a change of a schedule at the moment at which staff move an event of it', () => {
  const changes: Record<string, (entry: string) => Promise<{ status: number }>> = {
    'the reminders of an entry are changed': (entry) =>
      post(app, `/api/schedule/${entry}`, { reminders: [15] }, { method: 'PATCH', token: lena.authToken }),
    'the last reminder of an entry goes': (entry) =>
      post(app, `/api/schedule/${entry}`, { reminders: [] }, { method: 'PATCH', token: lena.authToken }),
    'an event is saved again with another reminder': () => save(lena, first, { reminders: [15] }),
    'an entry is removed': (entry) =>
      post(app, `/api/schedule/${entry}`, undefined, { method: 'DELETE', token: lena.authToken }),
    'an entry is replaced by another': (entry) => save(lena, second, { replaces: [entry] }),
  }
  it.each(Object.keys(changes))('waits for them and succeeds when %s', async (what) => {
    await twoEvents()
    const { entry } = await save(lena, first)
    const [answer] = await whileStaffHoldIt(() => [changes[what]!(entry)], moveIt)
    expect(answer!.status).toBeLessThan(300)
    const rows = await app.db.selectFrom('schedule_reminders').select('due_at').where('event_id', '=', first).execute()
    // 15 minutes before the new start
    if (what === 'an event is saved again with another reminder')
      expect(rows).toEqual([{ due_at: new Date('2026-06-20T20:15:00Z') }])
  })

  it('waits for them and succeeds when an account is deleted, and holds no other event meanwhile', async () => {
    await twoEvents()
    for (const event of [second, first]) await save(noah, event)
    const { account_id: accountId } = await app.db
      .selectFrom('accounts')
      .select('account_id')
      .where('email', '=', noah.email)
      .executeTakeFirstOrThrow()
    const owner = { accountId } as Parameters<typeof schedulePersonalData.forget>[1]
    await whileStaffHoldIt(
      () => [app.db.transaction().execute((trx) => schedulePersonalData.forget(trx, owner))],
      async (trx) => {
        await secondIsFree(trx)
        await moveIt(trx)
      },
    )
    expect(
      await app.db.selectFrom('events').select('saves').where('event_id', 'in', [first, second]).execute(),
    ).toEqual([{ saves: 0 }, { saves: 0 }])
  })
})

it('two people who swap the same two events in both directions at once both get what they want', async () => {
  await twoEvents()
  const hasFirst = await save(lena, first)
  const hasSecond = await save(noah, second)
  const answers = await whileStaffHoldIt(
    () => [save(lena, second, { replaces: [hasFirst.entry] }), save(noah, first, { replaces: [hasSecond.entry] })],
    // a request that waits for the first event must not hold the second
    secondIsFree,
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
})

it('a venue that staff edit waits for the first of its events before it holds another', async () => {
  const stage_id = await addStage(app.db, 'Zelt')
  ;[first, second] = [newId(), newId()].toSorted() as [string, string]
  // inserted in the other order, in which a scan finds them
  for (const event_id of [second, first])
    await addEvent(app.db, 'Rostrot', '2026-06-20T20:00:00Z', { event_id, stage_id })
  const { venue_id } = await app.db
    .selectFrom('stages')
    .select('venue_id')
    .where('stage_id', '=', stage_id)
    .executeTakeFirstOrThrow()
  const token = await aModerator(app)
  const [answer] = await whileStaffHoldIt(
    () => [post(app, `/api/admin/venues/${venue_id}`, { venue_name: 'Zeltplatz' }, { method: 'PUT', token })],
    secondIsFree,
  )
  expect(answer!.status).toBe(200)
})

it('the nightly removal of deleted events leaves a locked event to the next night', async () => {
  await twoEvents()
  const clock = { now: () => Temporal.Instant.from('2027-06-20T00:00:00Z') }
  await app.db
    .updateTable('events')
    .set({ state: 'draft', deleted_at: '2026-06-21T00:00:00Z' })
    .where('event_id', 'in', [first, second])
    .execute()
  const left = () => app.db.selectFrom('events').select('event_id').where('event_id', 'in', [first, second]).execute()
  await app.db.transaction().execute(async (trx) => {
    await lockEvents(trx, [first])
    await removeDeletedEvents({ db: app.db, clock })
  })
  expect(await left()).toEqual([{ event_id: first }])
  await removeDeletedEvents({ db: app.db, clock })
  expect(await left()).toEqual([])
})
