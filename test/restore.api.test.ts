import { execFile } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, it } from 'vitest'
import { executeDeletions } from '../src/accounts/server/accounts.ts'
import { createIdLog, type IdLog } from '../src/kit/server/id-log.ts'
import { dropDatabase, sql } from './databases.ts'
import { startS3Peer } from './peers/s3.ts'
import { aMerchant, aVisitor, get, goodPassword, post } from './people.ts'
import { nightlyServices } from './rooms.ts'
import { anotherInstance, appForTest, saturdayEvening, type TestApp } from './start-app.ts'

const night = Temporal.Instant.from(saturdayEvening)
  .add({ hours: 15 * 24 })
  .toString()
const leave = (app: { url: string }, token: string) =>
  post(app, '/api/me', { password: goodPassword }, { token, method: 'DELETE' })
const logFile = (app: TestApp) => join(app.dataDir, 'deletions.log')
const idOf = async (app: TestApp, token: string) => (await get(app, '/api/me', token)).body.account_id as string

async function restoreDeletions(app: TestApp, args: string[] = [], more: Record<string, string> = {}) {
  const env = { ...process.env, DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir, ...more }
  const command = ['src/app/restore-deletions.ts', ...args]
  return promisify(execFile)(process.execPath, command, { env }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, out: error.stderr }),
  )
}

describe('a deletion', () => {
  it('is noted outside the database with id and time, but no email address, readable only for its owner', async () => {
    const app = await appForTest()
    const lena = await aVisitor(app, 'noted@example.org')
    const id = await idOf(app, lena.authToken)
    await leave(app, lena.authToken)
    expect(await executeDeletions(nightlyServices(app, night))).toBe(1)
    expect(readFileSync(logFile(app), 'utf8')).toBe(`${night} ${id}\n`)
    expect(statSync(logFile(app)).mode & 0o777).toBe(0o600)
  })

  it('waits until it is noted, and nobody can log in to the account meanwhile', async () => {
    const app = await appForTest()
    const lena = await aVisitor(app, 'waits@example.org')
    await leave(app, lena.authToken)
    const back = await post(app, '/api/auth/login', { email: lena.email, password: goodPassword })
    const full: IdLog = {
      place: '',
      ids: async () => new Set(),
      note: () => Promise.reject(new Error('no space left on device')),
    }
    await expect(executeDeletions({ ...nightlyServices(app, night), deletions: full })).rejects.toThrow('no space left')
    const emails = async () => (await app.db.selectFrom('accounts').select('email').execute()).map(({ email }) => email)
    expect(await emails()).toEqual([lena.email])
    // a noted id must never belong to an account that stays
    expect((await post(app, '/api/me/keep', undefined, { token: back.body.authToken })).status).toBe(401)
    expect((await post(app, '/api/auth/login', { email: lena.email, password: goodPassword })).status).toBe(401)
    expect(await executeDeletions(nightlyServices(app, night))).toBe(1)
    expect(await emails()).toEqual([])
  })

  it('that crashed after it was noted is done the next night, and noted again', async () => {
    const app = await appForTest()
    const lena = await aVisitor(app, 'crash@example.org')
    const id = await idOf(app, lena.authToken)
    await leave(app, lena.authToken)
    const room = nightlyServices(app, night)
    const crash = {
      exportOf: async () => ({}),
      hasContent: async () => false,
      forget: () => Promise.reject(new Error('gone')),
    }
    await expect(executeDeletions({ ...room, personalData: [crash] })).rejects.toThrow('gone')
    // the crash has torn the line, too
    writeFileSync(logFile(app), readFileSync(logFile(app), 'utf8').slice(0, -9))
    expect(await executeDeletions(room)).toBe(1)
    const lines = readFileSync(logFile(app), 'utf8').split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toBe(`${night} ${id}`)
    expect(await room.deletions.ids()).toEqual(new Set([id]))
  })

  it('is a separate object in the bucket, so that several instances can delete at once', async () => {
    const keys = { accessKeyId: 'id', secretAccessKey: 'secret', region: 'eu' }
    const peer = await startS3Peer(keys)
    try {
      const s3 = { endpoint: peer.endpoint, bucket: 'festival', ...keys }
      const deletions = () => createIdLog({ file: '', s3, prefix: 'deletions/' })
      const app = await appForTest()
      const ids: string[] = []
      for (const name of ['one', 'two', 'three']) {
        const person = await aVisitor(app, `${name}@example.org`)
        ids.push(await idOf(app, person.authToken))
        await leave(app, person.authToken)
      }
      const counts = await Promise.all(
        [1, 2].map(() => executeDeletions({ ...nightlyServices(app, night), deletions: deletions() })),
      )
      expect(counts[0]! + counts[1]!).toBe(3)
      expect([...peer.objects.keys()].sort()).toEqual(ids.map((id) => `/festival/deletions/${id}`).sort())
      for (const id of ids)
        expect(peer.objects.get(`/festival/deletions/${id}`)!.bytes.toString()).toBe(`${night} ${id}\n`)
      expect(await deletions().ids()).toEqual(new Set(ids))
      expect(peer.refused).toEqual([])
    } finally {
      await peer.close()
    }
  })
})

it('the path of a copy of the log is relative to the folder in which the command was typed', async () => {
  const app = await appForTest()
  const lena = await aVisitor(app, 'typed@example.org')
  writeFileSync(join(app.dataDir, 'copy.log'), `${night} ${await idOf(app, lena.authToken)}\n`)
  // npm starts commands in the package's folder
  expect(await restoreDeletions(app, ['copy.log'], { INIT_CWD: app.dataDir })).toEqual({
    code: 0,
    out: '1 deletion is noted in copy.log; 1 account was there again and is deleted.\n',
  })
})

describe('a restored backup', () => {
  it(
    'has nobody who was deleted since, once their deletions are applied; their tokens die',
    { timeout: 180_000 },
    async () => {
      const { admin } = inject('postgres')
      const app = await appForTest({ now: null })
      const lena = await aVisitor(app, 'lena@example.org')
      const cafe = await aMerchant(app, 'cafe@example.org')
      const stays = await aVisitor(app, 'stays@example.org')
      const name = new URL(app.databaseUrl).pathname.slice(1)
      const dump = `${name}_dump`
      await app.stop()
      try {
        // a complete copy, like a restored dump
        await sql(admin, `create database ${dump} template ${name}`)
        const before = await anotherInstance(app)
        await leave(before, lena.authToken)
        await leave(before, cafe.authToken)
        const later = Temporal.Now.instant()
          .add({ hours: 15 * 24 })
          .toString()
        expect(await executeDeletions(nightlyServices({ ...app, db: before.db }, later))).toBe(2)
        await before.stop()
        await dropDatabase(admin, name)
        await sql(admin, `create database ${name} template ${dump}`)

        const restored = await anotherInstance(app)
        const who = async (token: string) => (await get(restored, '/api/me', token)).status
        expect(await Promise.all([lena, cafe, stays].map(({ authToken }) => who(authToken)))).toEqual([200, 200, 200])
        expect((await get(restored, `/api/business/${cafe.businessId}`)).status).toBe(200)

        // from a copy with half a line at its end
        const copy = join(app.dataDir, 'copy of the log')
        writeFileSync(copy, readFileSync(logFile(app)))
        appendFileSync(copy, '2026-11-22T04:2')
        rmSync(logFile(app))
        const applied = await restoreDeletions(app, [copy])
        expect(applied).toEqual({
          code: 0,
          out: `2 deletions are noted in ${copy}; 2 accounts were there again and are deleted.\n1 line could not be read.\n`,
        })
        expect(await Promise.all([lena, cafe, stays].map(({ authToken }) => who(authToken)))).toEqual([401, 401, 200])
        expect((await post(restored, '/api/auth/refresh', { refreshToken: lena.refreshToken })).status).toBe(401)
        expect((await post(restored, '/api/auth/login', { email: lena.email, password: goodPassword })).status).toBe(
          401,
        )
        expect((await get(restored, `/api/business/${cafe.businessId}`)).status).toBe(404)

        // a wrong file is refused instead of read as a log without deletions
        expect(await restoreDeletions(app, ['README.md'])).toEqual({
          code: 2,
          out: '"README.md" is no copy of a deletions.log. Nothing was deleted.\n',
        })

        // a second run, from the current log, changes nothing
        expect(await restoreDeletions(app)).toEqual({
          code: 0,
          out: `2 deletions are noted in ${logFile(app)}; 0 accounts were there again and are deleted.\n`,
        })
        expect(await restoreDeletions(app, ['/nowhere/deletions.log'])).toMatchObject({
          code: 2,
          out: expect.stringContaining('"/nowhere/deletions.log" cannot be read'),
        })
      } finally {
        await sql(admin, `drop database if exists ${dump}`)
      }
    },
  )
})
