import { sql } from 'kysely'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { aVisitor, logIn, post, type Person } from './people.ts'
import { api, startTestApp, type TestApp } from './start-app.ts'

/** People of the forum, and a clock that is turned forward so that rate limits of one story do not affect the next. */
export function forumPeople(app: () => TestApp) {
  let minutes = 0
  let trustedSoFar = 0
  const people: Person[] = []

  const later = (by = 60) =>
    app().setNow(
      Temporal.Instant.from('2026-06-20T17:30:00Z')
        .add({ minutes: (minutes += by) })
        .toString(),
    )

  /** Turns the clock forward and logs everybody in again, as their tokens expire after 15 minutes. */
  async function fresh(by = 60) {
    later(by)
    for (const person of people) {
      const isStaff = person.userType === 'moderator'
      if (isStaff) await change(person, { totp_secret: null })
      Object.assign(person, await logIn(app(), '/api/auth/login', person.email))
      if (isStaff) await change(person, { totp_secret: Buffer.from('set') })
    }
  }

  async function change(person: Person, more: Record<string, unknown>) {
    await app()
      .db.updateTable('accounts')
      .set(more)
      .where('email', '=', person.email)
      .where('kind', '=', 'user')
      .execute()
  }

  /** A new visitor: trust level 0. */
  async function newcomer(name: string): Promise<Person> {
    const person = await aVisitor(app(), `${name}@example.org`)
    await change(person, { display_name: name })
    people.push(person)
    return person
  }

  /** A visitor of trust level 1: a confirmed email address, and 30 posts read. */
  async function established(name: string): Promise<Person> {
    const person = await newcomer(name)
    await change(person, { verified_at: new Date() })
    await newTopic(person, { title: 'Hello everybody', body: `Good evening from ${name}.`, category: 'meet-ups' })
    await app()
      .db.updateTable('forum_members')
      .set({ posts_read: 30 })
      .where('account_id', '=', (eb) =>
        eb.selectFrom('accounts').select('account_id').where('email', '=', person.email).where('kind', '=', 'user'),
      )
      .execute()
    return person
  }

  /**
   * People whose flags can hide a post: accounts older than ten days, with a redeemed deal, created on different days from different IP
   * addresses. Call it after `fresh`, which logs all of them in from one address.
   */
  async function trusted(...of: Person[]): Promise<void> {
    for (const person of of) {
      const { account_id } = await app()
        .db.selectFrom('accounts')
        .select('account_id')
        .where('email', '=', person.email)
        .where('kind', '=', 'user')
        .executeTakeFirstOrThrow()
      const joined_at = new Date(
        app()
          .now()
          .subtract({ hours: (10 + trustedSoFar++) * 24 }).epochMilliseconds,
      )
      await app()
        .db.updateTable('accounts')
        .set({ created_at: joined_at })
        .where('account_id', '=', account_id)
        .execute()
      const known = { joined_at, has_redeemed: true, is_verified: true }
      await app().db.updateTable('forum_members').set(known).where('account_id', '=', account_id).execute()
      await app().db.deleteFrom('familiar_addresses').where('account_id', '=', account_id).execute()
      await app()
        .db.insertInto('familiar_addresses')
        .values({ account_id, address: Buffer.from(`address of ${person.email}`), last_used_at: joined_at })
        .execute()
    }
  }

  /** A moderator with a second factor. */
  async function moderator(name: string): Promise<Person> {
    const person = await newcomer(name)
    await change(person, { role: 'moderator', verified_at: new Date(), totp_secret: Buffer.from('set') })
    person.userType = 'moderator'
    return person
  }

  const send = (method: string, path: string, person: Person | null, body?: unknown) =>
    api(app(), path, {
      method,
      headers: {
        ...(person ? { authorization: `Bearer ${person.authToken}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  const aTopic = (more: Record<string, unknown> = {}) => ({
    category: 'help',
    title: 'Where is the queue shortest?',
    body: `At the Mittlere Brücke I waited for half an hour. ${Math.random()}`,
    ...more,
  })

  async function newTopic(person: Person, more: Record<string, unknown> = {}) {
    const answer = await post(app(), '/api/forum/topics', aTopic(more), { token: person.authToken })
    expect(answer.status, answer.text).toBe(201)
    return answer.body as {
      topic: { topic_id: string; title: string; state: string }
      post: { post_id: string; post_number: number; state: string; author: { handle: string } }
    }
  }

  const reply = (person: Person | null, topicId: string, body: string, more: Record<string, unknown> = {}) =>
    send('POST', `/api/forum/topics/${topicId}/posts`, person, { body, ...more })

  async function newReply(person: Person, topicId: string, body: string, more: Record<string, unknown> = {}) {
    const answer = await reply(person, topicId, body, more)
    expect(answer.status, answer.text).toBe(201)
    return answer.body as { post_id: string; post_number: number; state: string; author: { handle: string } }
  }

  /** Three visitors of trust level 1, and a moderator. */
  async function cast() {
    const everybody = {
      lena: await established('lena'),
      mia: await established('mia'),
      noah: await established('noah'),
      staff: await moderator('staff'),
    }
    await fresh()
    return everybody
  }

  return {
    later,
    fresh,
    newcomer,
    established,
    trusted,
    moderator,
    send,
    aTopic,
    newTopic,
    reply,
    newReply,
    change,
    cast,
  }
}

/** An app for the tests of a file, with three visitors of trust level 1 and a moderator. */
export function forumTown(more: Parameters<typeof startTestApp>[0] = {}) {
  const town = {} as { app: TestApp; lena: Person; mia: Person; noah: Person; staff: Person }
  const people = forumPeople(() => town.app)
  beforeAll(async () => {
    town.app = await startTestApp(more)
    Object.assign(town, await people.cast())
  })
  afterAll(() => town.app.close())
  return { town, ...people }
}

/** Waits until a statement of the database waits for a lock. */
export const untilSomebodyWaits = ({ db }: TestApp) =>
  vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    expect(rows).toHaveLength(1)
  }, 90_000)
