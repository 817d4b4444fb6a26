import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { deleteExpired } from '../src/accounts/server/accounts.ts'
import { deleteOldMessages } from '../src/contact/server/contact.ts'
import { startJobs } from '../src/kit/server/jobs.ts'
import { deleteUnconfirmed } from '../src/newsletter/server/newsletter.ts'
import { forgetVisitors } from '../src/views/server/views.ts'
import { aVisitor, mailTo } from './people.ts'
import { nightlyServices } from './rooms.ts'
import { appForTest, saturdayEvening, startTestApp, type TestApp } from './start-app.ts'

/** Statements end within 3 s, so nightly jobs must not delete all expired rows with one statement. */

const rows = 12_000
const stepRows = 5000
const long = '2026-01-01T00:00:00Z'

/** Tables with rows that expired long ago. */
const ranOut: Record<string, string> = {
  sessions: `insert into sessions (session_id, account_id, created_at, last_used_at, expires_at)
    select gen_random_uuid(), a.account_id, '${long}', '${long}', '${long}' from accounts a, generate_series(1, ${rows})`,
  mailed_links: `insert into mailed_links (link_id, token_hash, purpose, account_id, created_at, expires_at)
    select gen_random_uuid(), int4send(n), 'reset', a.account_id, '${long}', '${long}'
    from accounts a, generate_series(1, ${rows}) n`,
  google_flows: `insert into google_flows (state_hash, browser_hash, code_verifier, nonce, next, origin, expires_at)
    select int4send(n), '', '', '', '/', '', '${long}' from generate_series(1, ${rows}) n`,
  google_arrivals: `insert into google_arrivals
    (code_hash, browser_hash, subject, email, email_verified, display_name, next, locale, expires_at)
    select int4send(n), '', '', '', true, '', '/', 'en', '${long}' from generate_series(1, ${rows}) n`,
  used_challenges: `insert into used_challenges (challenge_hash, expires_at)
    select int4send(n), '${long}' from generate_series(1, ${rows}) n`,
  security_events: `insert into security_events (event_id, account_id, event, request_id, at)
    select gen_random_uuid(), a.account_id, 'login', '', '${long}' from accounts a, generate_series(1, ${rows})`,
  familiar_addresses: `insert into familiar_addresses (account_id, address, last_used_at)
    select a.account_id, int4send(n), '${long}' from accounts a, generate_series(1, ${rows}) n`,
  newsletter_subscribers: `insert into newsletter_subscribers (subscriber_id, email, email_folded, language, created_at)
    select gen_random_uuid(), n::text, n::text, 'en', '${long}' from generate_series(1, ${rows}) n`,
  view_visits: `insert into view_visits (kind, subject_id, visitor, window_began_at, counted)
    select 'deal', gen_random_uuid(), int4send(n), '${long}', 1 from generate_series(1, ${rows}) n`,
  contact_messages: `insert into contact_messages
    (message_id, ticket, name, email, email_folded, topic, message, locale, created_at, mailed_at)
    select gen_random_uuid(), n::text, 'Lena', 'lena@example.org', 'lena@example.org', 'other', 'Hello', 'en', '2025-01-01', '2025-01-01'
    from generate_series(1, ${rows}) n`,
}

describe('expired data is deleted nightly', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    await aVisitor(app)
    await sql`
      create function refuse_many() returns trigger language plpgsql as $$
      begin
        if (select count(*) from gone) > ${sql.lit(stepRows)} then raise 'too many rows at once'; end if;
        return null;
      end $$`.execute(app.db)
    for (const [table, insert] of Object.entries(ranOut)) {
      await sql.raw(insert).execute(app.db)
      await sql
        .raw(
          `create trigger few after delete on ${table} referencing old table as gone
          for each statement execute function refuse_many()`,
        )
        .execute(app.db)
    }
  })
  afterAll(() => app.close())
  it('in batches that each end in time, however many rows there are', async () => {
    const room = nightlyServices(app, saturdayEvening)
    await deleteExpired(room)
    await deleteUnconfirmed(room)
    // whatever they looked at is still there
    await forgetVisitors(room, [{ kind: 'deal', existing: (_, ids) => Promise.resolve(ids) }])
    await deleteOldMessages(room)
    for (const table of Object.keys(ranOut)) {
      const { rows: left } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(app.db)
      // the rest belongs to the visitor who signed up today
      expect([table, left[0]!.count < 5], table).toEqual([table, true])
    }
    expect(await app.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
  })
})

it('mails of nightly jobs link to the configured origin of the site', async () => {
  const app = await appForTest({ env: { REQUIRE_VERIFIED_EMAIL: 'on' } })
  await aVisitor(app)
  await mailTo(app, 'lena@example.org')
  app.setNow('2026-06-26T17:30:00Z')
  const jobs = await startJobs(app.db, () => ({}), {
    zone: 'Europe/Zurich',
    log: () => {},
    queues: ['delete-accounts'],
  })
  onTestFinished(() => jobs.stop())
  await jobs.enqueue(app.db, 'delete-accounts', {})
  // the system chooses the port, so it is not configured
  expect((await mailTo(app, 'lena@example.org', /./, 2)).text).toContain('http://127.0.0.1:0/verify-email?token=')
})
