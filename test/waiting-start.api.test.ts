import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startAppOn } from './app-on.ts'
import { startOwnPostgres, waitForCommits } from './postgres-pair.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

it('a start whose commits wait for a standby logs it, and goes on when they are committed', async () => {
  const postgres = await startOwnPostgres()
  onTestFinished(() => postgres.stop())
  await waitForCommits(postgres, 'nobody')
  const log: string[] = []
  const starting = startAppOn(postgres.url, { log })
  await vi.waitFor(
    () => expect(log.join('')).toContain('the start waits for the database: a commit waits for a standby'),
    { timeout: 90_000 },
  )
  await waitForCommits(postgres, null)
  await (await starting).close()
})

it('time limits of the role or the database do not end a start', async () => {
  const postgres = await startOwnPostgres()
  onTestFinished(() => postgres.stop())
  await postgres.sql("alter role rheinklang set statement_timeout = '2ms'")
  await postgres.sql("alter role rheinklang set idle_session_timeout = '100ms'")
  const app = await startAppOn(postgres.url)
  await app.close()
})

it('a start logs that it waits for a database that accepts the connection but does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  const taken: Socket[] = []
  silent.on('connection', (socket) => taken.push(socket))
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const log: string[] = []
  const { port } = silent.address() as AddressInfo
  const starting = startAppOn(`postgres://nobody@127.0.0.1:${port}/nothing`, { log }).then(
    () => 'started',
    (error: Error) => error.message,
  )
  await vi.waitFor(() => expect(log.join('')).toContain('the start waits for a connection to the database'), 90_000)
  for (const socket of taken) socket.destroy()
  expect(await starting).toContain('cannot be reached')
})
