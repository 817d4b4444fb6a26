import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '../../src/app/routes.ts'
import { addDeal } from '../cast.ts'
import { aMerchant, aVisitor, get, type Person } from '../people.ts'
import { aModerator } from '../staff.ts'
import type { TestApp } from '../start-app.ts'

/** Every address of the route list, as a pattern. */
const patterns = (entries: RouteConfigEntry[]): string[] =>
  entries.flatMap(({ path, children }) => [...(path ? [`/${path}`] : []), ...patterns(children ?? [])])

export const everyRole = ['guest', 'visitor', 'merchant', 'moderator'] as const
export type Role = (typeof everyRole)[number]

/** Screens for one kind of account; all others are public. */
export const merchants =
  /^\/(dashboard|edit-business|create-deal|deal-analytics|upgrade|promote|invoice|redeem|deal\/.*\/edit)/
export const visitors = /^\/(myschedule|favorites|my-codes|notifications|settings|forum\/new)/
export const staff = /^\/admin/

export function isFor(path: string, role: Role): boolean {
  switch (role) {
    case 'merchant':
      return merchants.test(path)
    case 'visitor':
      return visitors.test(path) || /^\/deal\/[^/]*$/.test(path)
    case 'moderator':
      return staff.test(path)
    case 'guest':
      return !merchants.test(path) && !visitors.test(path) && !staff.test(path)
  }
}

/** Every page of the site, filled with data of the demo, and who visits it. */
export async function everyPage(app: TestApp): Promise<{ people: Record<Role, Person | null>; all: string[] }> {
  const bar = await aMerchant(app, 'nord@example.org', { business_name: 'Bar Nord' })
  const people = {
    guest: null,
    merchant: bar,
    visitor: await aVisitor(app),
    moderator: { authToken: await aModerator(app), userType: 'moderator' } as Person,
  }
  const firstOf = async (path: string) => ((await get(app, path)).body as Record<string, string>[])[0]!
  const deal = await addDeal(app.db, bar.businessId, 'Spritz', { redemption_mode: 'code' })
  const { topic_id } = await firstOf('/api/forum/topics?limit=1')
  const { event_id } = await firstOf('/api/events?limit=1')
  const { author } = (await get(app, `/api/forum/topics/${topic_id}`)).body as { author: { handle: string } }
  const filled: Record<string, string> = {
    deal_id: deal,
    business_id: bar.businessId,
    event_id: event_id!,
    topic_id: topic_id!,
    handle: author.handle,
    category: 'help',
  }
  const all = ['/', ...patterns(routes)].map((pattern) =>
    // an unknown address has a screen too
    pattern.replace('/*', '/no-such-page').replace(/:(\w+)\??/g, (_, name: string) => filled[name] ?? 'unknown'),
  )
  return { people, all }
}
