import fc from 'fast-check'
import { afterAll, beforeAll, it } from 'vitest'
import type { RefusedAnswer } from '../src/kit/shared/refusal.ts'
import type { EntryEdit, Schedule } from '../src/schedule/web/schedule-intents.ts'
import { addBusiness, addDeal, addEvent } from './cast.ts'
import { happens, skews, step } from './histories.ts'
import { aVisitor, get, post } from './people.ts'
import type { Account, Phone, PhoneServer, Served } from './phones.ts'
import type { ServedChange } from './schedule-server.ts'
import { startTestApp, type TestApp } from './start-app.ts'

const keys = ['guest1', 'guest2', 'lena1', 'lena2', 'tom1', 'tom2']

let app: TestApp
/** By the names that histories give them. */
const ids = new Map<string, string>()
beforeAll(async () => {
  app = await startTestApp()
  const shop = await addBusiness(app.db, 'Café Rhein')
  for (const key of keys) {
    ids.set(`deal:${key}`, await addDeal(app.db, shop, `Coffee ${key}`))
    ids.set(`event:${key}`, await addEvent(app.db, `Concert ${key}`, '2026-06-21T20:00:00Z'))
  }
})
afterAll(() => app.close())

const idOf = (key: string) => ids.get(key)!
const nameOf = (id: string) => [...ids].find(([, each]) => each === id)![0]
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof get>>): RefusedAnswer | null =>
  status < 400 ? null : { status, code: String(body.code), error: String(body.error) }

let people = 0

/** The API with two new people, and what it was asked. */
class RealServer implements PhoneServer {
  readonly served: Served[] = []
  readonly scans = new Map<string, number>()
  lastBy: Phone | null = null
  onServed = () => {}
  pending = 0
  private at = app.now().epochMilliseconds
  private readonly tokens: Record<Account, string>

  private constructor(tokens: Record<Account, string>) {
    this.tokens = tokens
  }

  static async begin(): Promise<RealServer> {
    const tokenOf = async (name: Account) => (await aVisitor(app, `${name}${++people}@example.org`)).authToken
    return new RealServer({ lena: await tokenOf('lena'), tom: await tokenOf('tom') })
  }

  get now(): number {
    return this.at
  }
  set now(at: number) {
    this.at = at
    app.setNow(new Date(at).toISOString())
  }

  scan(key: string): void {
    this.scans.set(key, 1)
  }

  private async asking<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.pending++
    try {
      return await ask()
    } finally {
      this.pending--
    }
  }

  keys = async (account: Account): Promise<string[]> =>
    this.asking(async () => {
      const { body } = await get(app, '/api/favorites/keys', this.tokens[account])
      return (body.keys as string[]).map((key) => nameOf(key.split(':')[1]!))
    })

  merge = async (account: Account, given: readonly string[]): Promise<string[]> => {
    const by = this.lastBy
    for (const key of given) {
      this.served.push({ account, key, what: 'add', at: this.now, isFromGuest: true, isEffective: true, by })
    }
    return this.asking(async () => {
      const body = { keys: given.map((key) => `deal:${idOf(key)}`) }
      const answer = await post(app, '/api/favorites/merge', body, { token: this.tokens[account] })
      return (answer.body.keys as string[]).map((key) => nameOf(key.split(':')[1]!))
    })
  }

  change = async (account: Account, key: string, what: 'add' | 'remove', ago = 0): Promise<RefusedAnswer | null> => {
    const [by, at] = [this.lastBy, this.now - ago * 1000]
    return this.asking(async () => {
      const method = what === 'add' ? 'PUT' : 'DELETE'
      const path = `/api/favorites/deal/${idOf(key)}${ago ? `?seconds_ago=${ago}` : ''}`
      const refused = refusalOf(await get(app, path, this.tokens[account], { method }))
      if (!refused) this.served.push({ account, key, what, at, isFromGuest: false, isEffective: true, by })
      return refused
    })
  }

  readonly schedule = {
    served: [] as ServedChange<Phone>[],
    list: async (account: Account): Promise<Schedule> =>
      this.asking(async () => {
        const { body } = await get(app, '/api/schedule', this.tokens[account])
        return { ...body, entries: (body.entries as Schedule['entries']).map(named) } as Schedule
      }),
    put: async (by: Phone, account: Account, key: string, fields: EntryEdit, now: number, ago?: number) =>
      this.asking(async () => {
        const given = { event_id: idOf(key), ...fields, ...(ago && { seconds_ago: ago }) }
        const answer = await post(app, '/api/schedule', given, { token: this.tokens[account] })
        const refused = refusalOf(answer)
        const overruled = (answer.body.overruled ?? []) as ServedChange<Phone>['overruled']
        const at = now - (ago ?? 0) * 1000
        this.schedule.served.push({ account, key, what: 'put', fields, at, overruled, isEffective: !refused, by })
        if (refused) return { body: null, refused }
        return { body: { entry: named(answer.body.entry as Schedule['entries'][number]), overruled }, refused: null }
      }),
    remove: async (by: Phone, account: Account, key: string, now: number, ago?: number) =>
      this.asking(async () => {
        const path = `/api/schedule/events/${idOf(key)}${ago ? `?seconds_ago=${ago}` : ''}`
        const refused = refusalOf(await get(app, path, this.tokens[account], { method: 'DELETE' }))
        const at = now - (ago ?? 0) * 1000
        const change = { account, key, what: 'remove' as const, fields: {}, at, overruled: [] }
        this.schedule.served.push({ ...change, isEffective: !refused, by })
        return refused
      }),
  }
}

const named = (entry: Schedule['entries'][number]) => ({
  ...entry,
  event: { ...entry.event, event_id: nameOf(entry.event.event_id) },
})

it('the claims of the outbox hold over 20 random histories with the real API', async () => {
  await fc.assert(
    fc.asyncProperty(skews, fc.array(step, { minLength: 5, maxLength: 20 }), async (off, steps) =>
      happens(await RealServer.begin(), off, steps),
    ),
    { numRuns: 20, seed: 4058, endOnFailure: true },
  )
})
