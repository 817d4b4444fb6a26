import { expect, it, onTestFinished, vi } from 'vitest'
import { startAppOn } from './app-on.ts'
import { addBusiness, addDeal } from './cast.ts'
import { backUp, startForwarder, startOwnPostgres, type OwnPostgres } from './postgres-pair.ts'
import { api } from './start-app.ts'
import { openStream } from './streams.ts'

// whole servers that start, stop and are waited for
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

it.each([
  ['another server', false],
  ['the same server', true],
])(
  'an instance that is not started anew shows nothing undone by a restore to a moment before on %s, and its streams hear what is told there',
  async (_, inPlace) => {
    const postgres = await startOwnPostgres()
    const servers = [postgres]
    onTestFinished(async () => {
      for (const server of servers.toReversed()) await server.stop()
    })
    const forwarder = await startForwarder(postgres)
    onTestFinished(() => forwarder.close())
    const app = await startAppOn(forwarder.url)
    onTestFinished(() => app.close())
    const deal = await addDeal(app.db, await addBusiness(app.db, 'Café Rhein'), 'Coffee')
    /** @returns the number of its transaction, which is the version of what it wrote */
    const rename = async (server: OwnPostgres, name: string) => {
      const [row] = await server.sql<{ xmin: string }>(
        'update deals set deal_name = $1 where deal_id = $2 returning xmin::text',
        [name, deal],
      )
      return Number(row!.xmin)
    }
    const shown = async () => {
      const paths = ['/api/deals?limit=5', '/api/deals/search?limit=5', `/api/deals/${deal}`]
      const answers = await Promise.all(paths.map((path) => api(app, path)))
      return answers.map(({ status, body }) => (status === 200 ? [body].flat()[0]?.deal_name : status))
    }
    const tell = (server: OwnPostgres, n: number) =>
      server.sql(
        `with told as (insert into live_events (channel, kind, data, created_at)
           values ('urgent', 'urgent-changed', $1::jsonb, now()) returning 1)
         select pg_notify('live_events', '') from told`,
        [{ n }],
      )
    const stream = await openStream(app, 'urgent')
    const hears = (...expected: number[]) =>
      vi.waitFor(() => expect(stream.changes().map(({ data }) => data['n'])).toEqual(expected), 90_000)

    const backup = await backUp(postgres)
    await tell(postgres, 1)
    await hears(1)
    await postgres.sql("select pg_create_restore_point('before')")
    const undone = await rename(postgres, 'Undone')
    await tell(postgres, 2)
    await hears(1, 2)
    expect(await shown()).toEqual(['Undone', 'Undone', 'Undone'])
    const lastEventId = stream.messages.at(-1)!.id

    forwarder.leadTo(null)
    await postgres.kill()
    const restored = await backup.restore('before', { inPlace })
    servers.push(restored)
    expect(await restored.sql('select 1 from live_events where data @> \'{"n": 2}\'')).toEqual([])
    let written = 0
    while (written < undone) written = await rename(restored, 'Is true')
    // another change got the number of the one that was undone
    expect(written).toBe(undone)
    await tell(restored, 3)
    forwarder.leadTo(restored)
    await vi.waitFor(async () => expect(await shown()).toEqual(['Is true', 'Is true', 'Is true']), 90_000)
    await hears(1, 2, 3)
    await tell(restored, 4)
    await hears(1, 2, 3, 4)
    // what it heard is not what there is now, so it is told to ask anew
    const back = await openStream(app, 'urgent', { lastEventId })
    expect(back.messages[0]).toMatchObject({ event: 'reset' })
  },
)
