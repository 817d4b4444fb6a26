import { execFile } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { barNord, feature, geojson, useImports } from '../../test/importing.ts'

const at = useImports()
const { stored, only } = at

describe('the import command', () => {
  const run = async (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: at.app.databaseUrl, DATA_DIR: at.app.dataDir }
    const command = ['src/app/import.ts', ...args]
    const { stdout, stderr, code } = await promisify(execFile)(process.execPath, command, { env }).then(
      (ended) => ({ ...ended, code: 0 }),
      (ended: { stdout: string; stderr: string; code: number }) => ended,
    )
    return { code, stderr, last: stdout.trimEnd().split('\n').at(-1) }
  }
  it('imports merchants beside a running server and computes their openings', async () => {
    const path = join(at.folder, 'two.geojson')
    writeFileSync(path, geojson(feature(barNord), feature({ osm: 'node/2' })))
    expect(await run('businesses', path, '--dry-run')).toMatchObject({
      code: 0,
      last: '2 read, 1 new, 0 changed, 0 same, 1 refused',
    })
    expect(await stored()).toEqual([])
    expect(await run('businesses', path, '--source', 'test')).toMatchObject({
      code: 0,
      last: '2 read, 1 new, 0 changed, 0 same, 1 refused',
    })
    const row = await only()
    expect(row).toMatchObject({ source_id: 'test:node/1', hours_known: true })
    expect(row.hours_filled_until).not.toBeNull()
    const entries = at.app.db.selectFrom('audit_entries').select(['action', 'actor', 'object_name'])
    expect(await entries.execute()).toEqual([
      { action: 'import-businesses', actor: 'command', object_name: 'two.geojson' },
    ])
  })
  it('ends with 2 when nothing can be imported', async () => {
    const path = join(at.folder, 'bad.csv')
    writeFileSync(path, 'name,ort\n,Basel\n')
    expect(await run('businesses', path)).toMatchObject({
      code: 2,
      last: '1 read, 0 new, 0 changed, 0 same, 1 refused',
    })
    expect(await run('businesses', join(at.folder, 'nothing'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no such file'),
      last: '0 read, 0 new, 0 changed, 0 same, 0 refused',
    })
  })
  it('imports a programme, imports places only once, and refuses a file of 50 MB', async () => {
    const inFile = (name: string, ...lines: string[]) => {
      const path = join(at.folder, name)
      writeFileSync(path, lines.join('\n'))
      return path
    }
    const programme = inFile('sets.csv', 'id,title,starts_at', '1,Set,2026-06-20T20:00:00Z', '2,Late,never')
    const places = inFile('places.csv', 'id,kind,name,latitude,longitude', '1,WC,,47.56,7.59', '2,kiosk,Bar,47.56,7.59')
    const first = { code: 0, last: '2 read, 1 new, 0 changed, 0 same, 1 refused' }
    expect(await run('events', programme)).toMatchObject(first)
    expect(await run('places', places)).toMatchObject(first)
    expect(await run('places', places)).toMatchObject({
      code: 0,
      last: '2 read, 0 new, 0 changed, 1 same, 1 refused',
    })
    truncateSync(programme, 50 * 2 ** 20)
    expect(await run('events', programme)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The file has 50 MB; the maximum is 24 MB.'),
      last: '0 read, 0 new, 0 changed, 0 same, 0 refused',
    })
  })
  it.each([
    [[]],
    [['businesses']],
    [['deals', 'x']],
    [['businesses', 'x', '--canton', 'XX']],
    [['businesses', 'x', '--source', 'a:b']],
    [['businesses', 'x', '--nope']],
  ])('ends with 1 and a sentence for %j', async (args) => {
    expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringMatching(/\w/), last: '' })
  })
})
