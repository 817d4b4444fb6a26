import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rooms } from '../../app/rooms.ts'
import { newId } from '../../kit/server/ids.ts'
import type { House, Room } from '../../kit/server/room.ts'
import { addEvent } from '../../../test/cast.ts'
import { aVisitor, get, logIn, mailsTo, post } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'
import { listNotifications, markRead, queueDueMails } from '../../notifications/server/notifications.ts'
import { notifications } from '../../notifications/room.ts'
import { schedule } from '../room.ts'
import { sendDueReminders } from './schedule.ts'

/** An instance with its rooms, for direct calls. */
async function anInstance(env: Record<string, string> = {}) {
  let house!: House
  const door: Room<object> = { name: 'door', looksInto: [], open: (given) => ((house = given), {}) }
  const app = await startTestApp({ rooms: [...rooms, door], env })
  return { app, own: house.of(schedule), bell: house.of(notifications) }
}

describe('reminders', () => {
  let app: TestApp
  let first: Awaited<ReturnType<typeof anInstance>>
  let second: Awaited<ReturnType<typeof anInstance>>
  let lena: string
  beforeAll(async () => {
    first = await anInstance()
    app = first.app
    second = await anInstance({ DATABASE_URL: app.databaseUrl })
    const { email } = await aVisitor(app)
    lena = (
      await app.db.selectFrom('accounts').select('account_id').where('email', '=', email).executeTakeFirstOrThrow()
    ).account_id
  })
  afterAll(async () => {
    await second.app.close()
    await app.close()
  })

  const at = (instant: string) => {
    app.setNow(instant)
    second.app.setNow(instant)
  }
  /** The clock jumps further than tokens are valid. */
  const token = async () => (await logIn(app, '/api/auth/login', 'lena@example.org')).authToken
  const add = async (event_id: string, reminders: number[]) =>
    (await post(app, '/api/schedule', { event_id, reminders }, { token: await token() })).body.entry as {
      entry_id: string
    }
  /** Lena's notifications of the event, oldest first. */
  const remindersOf = async (title: string) =>
    (await listNotifications(first.bell, lena, { limit: 100 }, 'en')).items
      .filter(({ text }) => text.startsWith(title))
      .map(({ text, count }) => ({ text, count }))
  const move = (event_id: string, starts: string, more: object = {}) =>
    app.db
      .updateTable('events')
      .set({
        starts_at: starts,
        ends_at: null,
        over_at: Temporal.Instant.from(starts).add({ minutes: 60 }).toString(),
        ...more,
      })
      .where('event_id', '=', event_id)
      .execute()

  it('are sent at their time, once, with time and place', async () => {
    at('2026-06-20T12:00:00Z')
    const event = await addEvent(app.db, 'Glasshouse', '2026-06-20T18:00:00Z')
    await add(event, [15])
    at('2026-06-20T17:44:59Z')
    await sendDueReminders(first.own)
    expect(await remindersOf('Glasshouse')).toEqual([])
    at('2026-06-20T17:45:00Z')
    await sendDueReminders(first.own)
    await sendDueReminders(second.own)
    expect(await remindersOf('Glasshouse')).toEqual([{ text: 'Glasshouse starts at 20:00, Rheinbühne', count: 1 }])
    // the clock is set back and runs again
    for (const again of ['2026-06-20T15:45:00Z', '2026-06-20T17:45:30Z']) {
      at(again)
      await sendDueReminders(first.own)
    }
    expect(await remindersOf('Glasshouse')).toMatchObject([{ count: 1 }])
  })

  it('move with their event, also after one was sent, and are off while it is cancelled', async () => {
    at('2026-06-20T12:00:00Z')
    const event = await addEvent(app.db, 'Hochwasser', '2026-06-20T14:00:00Z')
    await add(event, [30])
    await move(event, '2026-06-20T15:00:00Z')
    at('2026-06-20T13:30:00Z')
    await sendDueReminders(first.own)
    expect(await remindersOf('Hochwasser')).toEqual([])
    at('2026-06-20T14:30:00Z')
    await sendDueReminders(first.own)
    expect(await remindersOf('Hochwasser')).toMatchObject([{ text: 'Hochwasser starts at 17:00, Rheinbühne' }])
    await markRead(first.bell, lena, null)
    await move(event, '2026-06-20T16:00:00Z', { state: 'cancelled' })
    at('2026-06-20T15:31:00Z')
    await sendDueReminders(first.own)
    expect(await remindersOf('Hochwasser')).toHaveLength(1)
    await move(event, '2026-06-20T16:00:00Z', { state: 'delayed' })
    await sendDueReminders(first.own)
    expect(await remindersOf('Hochwasser')).toMatchObject([{ text: 'Hochwasser starts at 18:00, Rheinbühne' }, {}])
  })

  it('are sent late after an outage, but never after the end of the event', async () => {
    at('2026-06-20T12:00:00Z')
    const runs = await addEvent(app.db, 'Still Running', '2026-06-20T13:00:00Z')
    const over = await addEvent(app.db, 'Long Over', '2026-06-20T12:30:00Z', { ends_at: '2026-06-20T13:20:00Z' })
    for (const event of [runs, over]) await add(event, [10])
    at('2026-06-20T13:20:00Z')
    await sendDueReminders(first.own)
    expect(await remindersOf('Still Running')).toMatchObject([{ text: 'Still Running started at 15:00, Rheinbühne' }])
    expect(await remindersOf('Long Over')).toEqual([])
    at('2026-06-20T13:10:00Z')
    await sendDueReminders(first.own)
    expect(await remindersOf('Long Over')).toEqual([])
  })

  it('come by mail if chosen, once, but never after the end of the event', async () => {
    at('2026-06-20T06:00:00Z')
    await app.db.updateTable('accounts').set({ verified_at: new Date() }).where('account_id', '=', lena).execute()
    const choose = async (channels: string[]) =>
      post(
        app,
        '/api/notifications/settings',
        { type: 'reminder', channels },
        { method: 'PATCH', token: await token() },
      )
    expect((await choose(['email'])).status).toBe(200)
    const tellAndMail = async (instant: string) => {
      at(instant)
      await Promise.all([sendDueReminders(first.own), sendDueReminders(second.own)])
      await Promise.all([queueDueMails(first.bell), queueDueMails(second.bell)])
      await app.runJobs()
    }
    const mails = async (title: string) =>
      (await mailsTo(app, 'lena@example.org'))
        .filter(({ subject }) => subject.startsWith(title))
        .map(({ subject }) => subject)
    await add(await addEvent(app.db, 'Morgenchor', '2026-06-20T08:00:00Z'), [10])
    await add(await addEvent(app.db, 'Kurzkonzert', '2026-06-20T09:00:00Z', { ends_at: '2026-06-20T09:10:00Z' }), [10])
    await tellAndMail('2026-06-20T07:50:00Z')
    await tellAndMail('2026-06-20T07:51:00Z')
    expect(await mails('Morgenchor')).toEqual(['Morgenchor starts at 10:00, Rheinbühne'])
    // by mail alone: not in the list of notifications
    expect(await remindersOf('Morgenchor')).toEqual([])
    at('2026-06-20T08:50:00Z')
    await sendDueReminders(first.own)
    // no mail could be sent meanwhile
    await tellAndMail('2026-06-20T09:10:00Z')
    expect(await mails('Kurzkonzert')).toEqual([])
    expect((await choose(['in_app', 'push'])).status).toBe(200)
  })

  it('are deleted with their entry; one that is set after its time is not sent', async () => {
    at('2026-06-20T09:55:00Z')
    const event = await addEvent(app.db, 'Fanny Lune', '2026-06-20T10:00:00Z')
    const { entry_id } = await add(event, [5, 10, 0])
    await sendDueReminders(first.own)
    expect(await remindersOf('Fanny Lune')).toEqual([])
    await post(app, `/api/schedule/${entry_id}`, { reminders: [5] }, { method: 'PATCH', token: await token() })
    at('2026-06-20T10:00:00Z')
    await sendDueReminders(first.own)
    expect(await remindersOf('Fanny Lune')).toEqual([])
    await get(app, `/api/schedule/${entry_id}`, await token(), { method: 'DELETE' })
    expect(await app.db.selectFrom('schedule_reminders').selectAll().where('event_id', '=', event).execute()).toEqual(
      [],
    )
  })

  it('are sent exactly once when 500 are due on two instances, also if one crashes', async () => {
    at('2026-06-19T12:00:00Z')
    const event = await addEvent(app.db, 'Everybody', '2026-06-19T18:00:00Z')
    const people = Array.from({ length: 500 }, () => newId())
    await app.db
      .insertInto('accounts')
      .values(
        people.map((account_id, n) => ({
          account_id,
          kind: 'user',
          role: 'user',
          language: 'en',
          email: `crowd${n}@example.org`,
          email_folded: `crowd${n}@example.org`,
          display_name: `Crowd ${n}`,
          created_at: new Date('2026-06-19T12:00:00Z'),
        })) as never,
      )
      .execute()
    await app.db
      .insertInto('schedule_entries')
      .values(
        people.map((account_id) => ({
          entry_id: newId(),
          account_id,
          event_id: event,
          reminders: [10],
          created_at: new Date('2026-06-19T12:00:00Z'),
          updated_at: new Date('2026-06-19T12:00:00Z'),
        })) as never,
      )
      .execute()
    at('2026-06-19T17:50:00Z')
    // one instance ends after sending and before its commit, as with kill -9
    const cutOff = { ...first.own, db: failingAtCommit(first.own.db) }
    await expect(sendDueReminders(cutOff)).rejects.toThrow('cut off')
    const bellRows = () =>
      app.db.selectFrom('notifications').select(['account_id', 'count']).where('path', '=', `/event/${event}`).execute()
    expect(await bellRows()).toEqual([])
    await Promise.all([first.own, second.own, first.own, second.own].map(sendDueReminders))
    const rows = await bellRows()
    expect(rows).toHaveLength(500)
    expect(new Set(rows.map(({ account_id }) => account_id)).size).toBe(500)
    expect(rows.every(({ count }) => count === 1)).toBe(true)
  })
})

/** A database that rolls each transaction back at its end, like a process that ends there. */
function failingAtCommit(db: TestApp['db']): TestApp['db'] {
  return {
    transaction: () => ({
      execute: (work: (trx: unknown) => Promise<unknown>) =>
        db.transaction().execute(async (trx) => {
          await work(trx)
          throw new Error('cut off')
        }),
    }),
  } as never
}
