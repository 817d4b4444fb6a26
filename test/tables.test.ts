import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Each table belongs to one room (or to the kit, or to the roof), which alone reads and writes it. */
const tables: Record<string, string[]> = {
  kit: ['migration_files', 'rate_limits', 'installation_keys', 'replication_marks'],
  app: ['demo_parts'],
  accounts: [
    'accounts',
    'sessions',
    'refresh_tokens',
    'mailed_links',
    'recovery_codes',
    'identities',
    'google_flows',
    'google_arrivals',
    'familiar_addresses',
    'used_challenges',
    'security_events',
  ],
  live: ['live_events'],
  favorites: ['favorites'],
  notifications: [
    'notifications',
    'notifications_told',
    'notification_choices',
    'notification_quiet_hours',
    'push_keys',
    'push_subscriptions',
    'push_messages',
  ],
  analytics: [
    'analytics_hours',
    'analytics_beacons',
    'analytics_days',
    'analytics_business_hours',
    'analytics_summed',
    'analytics_late',
  ],
  mail: ['outgoing_mails'],
  newsletter: ['newsletter_subscribers'],
  contact: ['contact_messages'],
  payments: [
    'payment_customers',
    'payment_events',
    'subscriptions',
    'payments',
    'payment_reversals',
    'checkouts',
    'payment_requests',
    'payment_standings',
    'ledger_transactions',
    'ledger_entries',
    'test_provider_objects',
  ],
  views: ['view_salts', 'view_visits', 'view_hours'],
  businesses: ['businesses', 'business_words', 'merchant_pictures'],
  events: ['venues', 'stages', 'performers', 'events', 'event_performers', 'event_changes', 'removed_events'],
  places: ['useful_places'],
  staff: ['audit_entries', 'staff_requests'],
  urgent: ['urgent_notices'],
  forum: [
    'forum_members',
    'forum_topics',
    'forum_posts',
    'forum_revisions',
    'forum_likes',
    'forum_flags',
    'forum_reads',
    'forum_blocks',
    'forum_images',
    'forum_moderation',
  ],
  deals: ['deals', 'search_words'],
  redemptions: ['tills', 'claims', 'forgotten_claims', 'redemptions'],
  ratings: ['ratings', 'rating_reports'],
  reports: ['report_cases', 'reports'],
  schedule: ['schedule_entries', 'schedule_links', 'schedule_reminders', 'schedule_event_changes'],
}

/** What still reads a table of another room, and why. A room that stops doing so is taken off; none comes. */
const exceptions: [file: string, table: string, why: string][] = [
  ['src/app/demo/scaled-data.ts', 'businesses', 'makes the data of the bench in one statement'],
  ['src/app/demo/scaled-data.ts', 'deals', 'makes the data of the bench in one statement'],
  ['src/app/demo/store.ts', 'businesses', 'a database with merchants of its own gets no demo'],
  ['src/businesses/server/store/lists.ts', 'deals', 'to go: how many deals a merchant has now'],
  ['src/businesses/server/store/one.ts', 'deals', 'to go: the views of a merchant, those of the deals included'],
  ['src/businesses/server/store/one.ts', 'view_hours', 'to go: the views of a merchant, and their export'],
  ['src/deals/server/store/search.ts', 'businesses', 'to go: the merchants whose paid places a search shows'],
]

const sqlOf = (file: string) => readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '')

it('every table of the migrations belongs to one room', () => {
  const made = globSync('migrations/*.sql').flatMap((file) => {
    const sql = readFileSync(file, 'utf8').replace(/--.*$/gm, '')
    return [...sql.matchAll(/create (?:unlogged )?table (?:if not exists )?(\w+)/g)].map(([, table]) => table!)
  })
  expect(Object.values(tables).flat().toSorted()).toEqual([...new Set(made)].toSorted())
})

it('no room names a table of another one in its SQL, but for known exceptions', () => {
  const found = globSync('src/*/{server,demo}/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const own = tables[file.split(/[\\/]/)[1]!] ?? []
      const foreign = Object.values(tables)
        .flat()
        .filter((table) => !own.includes(table))
      const code = sqlOf(file)
      return foreign.filter((table) => names(code, table)).map((table) => `${file} names ${table}`)
    })
  expect(found.toSorted()).toEqual(exceptions.map(([file, table]) => `${file} names ${table}`).toSorted())
})

it.each([
  ['select 1 from deals d', true],
  ['left  join deals using (deal_id)', true],
  ['insert into\n  deals (deal_id)', true],
  ['update deals set', true],
  [".selectFrom('deals as d')", true],
  [".innerJoin('deals', 'a', 'b')", true],
  ["deleteInSteps(db, 'deals', isOver)", true],
  ["name: 'deals'", false],
  ['from dealsome', false],
])('SQL is told from other words: %s', (code, isSql) => expect(names(code, 'deals')).toBe(isSql))

function names(code: string, table: string): boolean {
  const inText = new RegExp(`\\b(?:from|join|into|update|lateral|only)\\s+${table}\\b`, 'i')
  const inCalls = new RegExp(
    `(?:selectFrom|insertInto|updateTable|deleteFrom|\\w+Join|\\btable|deleteInSteps)\\(\\s*(?:\\w+,\\s*)?['"\`]${table}\\b`,
  )
  return inText.test(code) || inCalls.test(code)
}
