import { expect, it, onTestFinished, vi } from 'vitest'
import { startAppOn } from './app-on.ts'
import { addBusiness, addDeal } from './cast.ts'
import { backUp, startForwarder, startOwnPostgres, type OwnPostgres } from './postgres-pair.ts'
import { api } from './start-app.ts'
import { openStream } from './streams.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

it.each([
  ['another server', false],
  ['the same server', true],
])(
  'a running instance shows nothing that a restore on %s has undone, and its streams get the messages of the restored server',
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
    /** @returns its transaction id, which is the version of the row */
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
    const publish = (server: OwnPostgres, n: number) =>
      server.sql(
        `with published as (insert into live_events (channel, kind, data, created_at)
           values ('urgent', 'urgent-changed', $1::jsonb, now()) returning 1)
         select pg_notify('live_events', '') from published`,
        [{ n }],
      )
    const stream = await openStream(app, 'urgent')
    const received = (...expected: number[]) =>
      vi.waitFor(() => expect(stream.changes().map(({ data }) => data['n'])).toEqual(expected), 90_000)

    const backup = await backUp(postgres)
    await publish(postgres, 1)
    await received(1)
    await postgres.sql("select pg_create_restore_point('before')")
    const undone = await rename(postgres, 'Undone')
    await publish(postgres, 2)
    await received(1, 2)
    expect(await shown()).toEqual(['Undone', 'Undone', 'Undone'])
    const lastEventId = stream.messages.at(-1)!.id

    forwarder.leadTo(null)
    await postgres.kill()
    const restored = await backup.restore('before', { inPlace })
    servers.push(restored)
    expect(await restored.sql('select 1 from live_events where data @> \'{"n": 2}\'')).toEqual([])
    let written = 0
    while (written < undone) written = await rename(restored, 'Is true')
    // another change has the transaction id of the undone one
    expect(written).toBe(undone)
    await publish(restored, 3)
    forwarder.leadTo(restored)
    await vi.waitFor(async () => expect(await shown()).toEqual(['Is true', 'Is true', 'Is true']), 90_000)
    await received(1, 2, 3)
    await publish(restored, 4)
    await received(1, 2, 3, 4)
    // the client's last message was undone, so it is told to load everything again
    const back = await openStream(app, 'urgent', { lastEventId })
    expect(back.messages[0]).toMatchObject({ event: 'reset' })
  },
)
