import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, inject, onTestFinished, vi, it } from 'vitest'
import { freePort } from './free-port.ts'
import { databaseUrl, dropDatabase, sql } from './databases.ts'
import { startMailPeer, withMail } from './peers/smtp.ts'
import { quickFolder } from './quick-folder.ts'

// these tests start and stop whole servers
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** Mails that were being sent at a kill must be sent within this time after the next start. */
const soonMs = 30_000

it('mails that were being sent at kill -9 are sent within 30 s of the next start, at most twice and with the same Message-ID', async () => {
  const { admin, empty } = inject('postgres')
  const name = `rk_killed_${process.pid}`
  await sql(admin, `create database ${name} template ${empty}`)
  const dataDir = mkdtempSync(join(quickFolder(), 'rheinklang-killed-'))
  const peer = await startMailPeer({ holds: 'taken' })
  let server: ChildProcess | null = null
  onTestFinished(async () => {
    server?.kill('SIGKILL')
    await dropDatabase(admin, name)
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  const start = async () => {
    const port = await freePort()
    server = spawn(process.execPath, ['build/app/main.mjs'], {
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl(admin, name),
        LOG_LEVEL: 'silent',
        DEMO_DATA: 'off',
        ...withMail(peer.url),
      },
      stdio: 'ignore',
    })
    const url = `http://127.0.0.1:${port}`
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await vi.waitUntil(isReady, { timeout: 90_000, interval: 50 })
    return url
  }
  const url = await start()
  const message = { name: 'Lena', email: 'lena@example.org', topic: 'visitor', message: 'Lost and found?' }
  for (let n = 0; n < 3; n++) {
    const body = JSON.stringify(message)
    const answer = await fetch(`${url}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(201)
  }
  await vi.waitUntil(() => peer.held() === 3, { timeout: 90_000, interval: 50 })
  server!.kill('SIGKILL')
  peer.letGo()
  await start()
  const unmailed = () =>
    sql(databaseUrl(admin, name), 'select 1 from contact_messages where mailed_at is null').then(
      ({ rowCount }) => rowCount,
    )
  await vi.waitFor(async () => expect(await unmailed()).toBe(0), { timeout: soonMs, interval: 100 })
  const ids = await Promise.all(
    peer.received.map(async ({ raw }) => (await PostalMime.parse(Buffer.from(raw, 'latin1'))).messageId),
  )
  expect(new Set(ids).size).toBe(3)
  expect(ids.length).toBeLessThanOrEqual(6)
})
