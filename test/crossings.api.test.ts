import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from './start-app.ts'
import { tables } from './tables.ts'

/**
 * Foreign keys, triggers and functions of the database that cross rooms (decision 57). The SQL of a room keeps to its own tables; these are
 * the only exceptions. Add a new one with its reason.
 */
const foreignKeys: Record<string, string[]> = {
  // data of a person, business, deal or event is deleted with it
  accounts: [
    'claims',
    'contact_messages',
    'favorites',
    'favorite_removals',
    'forum_members',
    'notification_choices',
    'notification_quiet_hours',
    'notifications',
    'notifications_told',
    'push_subscriptions',
    'rating_reports',
    'ratings',
    'reports',
    'schedule_entries',
    'schedule_links',
    'schedule_removals',
    // upwards, like the two below: waiting mails are deleted with their account
    'outgoing_mails',
  ],
  sessions: ['push_subscriptions'],
  // upwards too: a merchant's account is deleted with its business
  businesses: ['accounts', 'billing_addresses', 'claims', 'deals', 'ratings', 'redemptions', 'report_cases', 'tills'],
  deals: ['analytics_hours', 'claims', 'forgotten_claims', 'full_deals', 'ratings', 'redemptions'],
  events: ['schedule_entries'],
  // event changes and appeals refer to entries of the audit log
  audit_entries: ['event_changes', 'appeals'],
  forum_members: ['appeals'],
  forum_posts: ['appeals'],
  // a mail is deleted with its link, and a link with the subscription that it confirms
  mailed_links: ['outgoing_mails'],
  newsletter_subscribers: ['mailed_links', 'outgoing_mails'],
}

/** Trigger functions that read or write tables of another room, by table of the trigger. */
const triggers: Record<string, string[]> = {
  // deals have copies of their business's name, tier and openings, so that searches need no join
  'businesses: copy_business_to_deals': ['deals'],
  'businesses: move_deals_along': ['deals'],
  'businesses: refill_deal_docs': ['deals'],
  'deals: fill_deal_doc': ['businesses'],
  'deals: find_deal_over': ['businesses'],
  // reminders move with their event, and events count how many people saved them
  'events: move_reminders': ['schedule_reminders'],
  'schedule_entries: count_event_saves': ['events'],
  'schedule_entries: plan_reminders': ['events'],
  // deleted codes stay counted, unless their deal is deleted too
  'claims: count_forgotten_claims': ['deals'],
  // open streams end with their session
  'sessions: tell_ended_sessions': ['live_events'],
  // forum members have copies of the account's name and role
  'accounts: copy_account_to_forum': ['forum_members'],
  'forum_members: fill_forum_member': ['accounts'],
}

/** Other functions that use tables of more than one room. */
const functions: Record<string, string[]> = {
  deals_paid: ['businesses'],
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const roomOf = (table: string) => Object.keys(tables).find((room) => tables[room]!.includes(table))
const allTables = Object.values(tables).flat()
const namedIn = (code: string) =>
  allTables.filter((table) => new RegExp(`\\b(?:from|join|into|update)\\s+(?:only\\s+)?${table}\\b`, 'i').test(code))

/** Values by key, sorted. */
function grouped(pairs: [key: string, value: string][]): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const [key, value] of pairs) found[key] = [...new Set([...(found[key] ?? []), value])].toSorted()
  return found
}
const sorted = (list: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(list).map(([key, values]) => [key, values.toSorted()]))

it('only listed foreign keys cross rooms', async () => {
  const { rows } = await sql<{ from: string; to: string }>`
    select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace`.execute(app.db)
  expect(rows.length).toBeGreaterThan(30)
  const crossing = rows.filter(({ from, to }) => roomOf(from) !== roomOf(to))
  expect(grouped(crossing.map(({ from, to }) => [to, from]))).toEqual(sorted(foreignKeys))
})

it('only listed triggers read or write tables of another room', async () => {
  const { rows } = await sql<{ table: string; name: string; code: string }>`
    select t.tgrelid::regclass::text as table, p.proname as name, p.prosrc as code
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`.execute(app.db)
  expect(rows.length).toBeGreaterThan(10)
  const crossing = rows.flatMap(({ table, name, code }) =>
    namedIn(code)
      .filter((named) => roomOf(named) !== roomOf(table))
      .map((named): [string, string] => [`${table}: ${name}`, named]),
  )
  expect(grouped(crossing)).toEqual(sorted(triggers))
})

it('only listed other functions read or write tables of several rooms', async () => {
  const { rows } = await sql<{ name: string; code: string }>`
    select proname as name, prosrc as code from pg_proc
    where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`.execute(app.db)
  const crossing = rows.flatMap(({ name, code }) => {
    // the name of a function says its room
    const own = Object.keys(tables).find((room) => name.startsWith(`${room}_`))
    const named = namedIn(code)
    const isOfOne = new Set(named.map(roomOf)).size < 2
    return isOfOne ? [] : named.filter((table) => roomOf(table) !== own).map((table): [string, string] => [name, table])
  })
  expect(grouped(crossing)).toEqual(sorted(functions))
})
