import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Config } from './config.ts'
import { inASentence, reachDatabase, refuseUnfit } from './start-faults.ts'

const failing = (error: Error) => ({ connect: () => Promise.reject(error) }) as unknown as pg.Pool
const config = { databaseUrl: 'postgres://a@b/c', dataDir: 'data' } as Config

describe('a start that fails because of its database says why in one sentence', () => {
  it('when something other than PostgreSQL listens', async () => {
    const error = await reachDatabase(failing(new Error('Connection terminated unexpectedly')), config).catch(
      inASentence,
    )
    expect((error as Error).message).toBe(
      'The database of DATABASE_URL cannot be reached: Connection terminated unexpectedly.',
    )
  })
  it('when the connection is lost', () => {
    const lost = inASentence(new Error('Connection terminated unexpectedly')) as Error
    expect(lost.message).toBe('The database cannot be reached any more: Connection terminated unexpectedly.')
  })
  it('when the role is not the owner', () => {
    const error = Object.assign(new Error('permission denied for schema public'), { code: '42501' })
    expect((inASentence(error) as Error).message).toBe(
      'The role of DATABASE_URL may not do what a start does (permission denied for schema public). It must own the database and all that is in it.',
    )
  })
  it('when the role may create nothing', async () => {
    const answers = (rows: object[]) => ({ query: async () => ({ rows }) }) as unknown as pg.PoolClient
    const guest = { encoding: 'UTF8', read_only: 'off', role: 'guest', is_closed: true }
    await expect(refuseUnfit(answers([guest]))).rejects.toThrow(
      'The role guest may create nothing in this database. It must own the database and its schema.',
    )
    await refuseUnfit(answers([{ ...guest, is_closed: false }]))
  })
  it('but not for other errors, which stay unchanged', () => {
    const bug = new TypeError('x is not a function')
    expect(inASentence(bug)).toBe(bug)
  })
})
