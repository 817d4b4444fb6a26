import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { prepareDataFolder, writeWhole, unusableFolder } from './data-folder.ts'

// these tests start and stop other processes
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const nobody = 65534
const isRoot = process.getuid?.() === 0
let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rheinklang-folder-'))
  chmodSync(root, 0o755)
  folder = join(root, 'data')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Owners of everything below, by path. */
function owners(path = folder): Record<string, number> {
  const found = lstatSync(path)
  const below = found.isDirectory() ? readdirSync(path).map((name) => owners(join(path, name))) : []
  return Object.assign({ [path.slice(root.length)]: found.uid }, ...below) as Record<string, number>
}

function asNobody(code: string) {
  const module = new URL('./data-folder.ts', import.meta.url).href
  const script = `import { prepareDataFolder, writeWhole } from ${JSON.stringify(module)}
    const folder = ${JSON.stringify(folder)}
    try { ${code}; console.log('fine') } catch (error) { console.log(error.message) }`
  const options = { uid: nobody, gid: nobody, encoding: 'utf8', cwd: '/', timeout: 20_000 } as const
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], options).stdout.trim()
}

describe('the data folder', () => {
  it('is created for its user only, with missing folders above it', () => {
    folder = join(root, 'a', 'b')
    prepareDataFolder(folder)
    prepareDataFolder(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })
  it.each([
    ['/proc/foo', 'ENOENT'],
    ['/proc/foo/bar', 'ENOENT'],
    ['/etc/passwd', '"/etc/passwd" is no folder'],
    ['/etc/passwd/data', '"/etc/passwd" is no folder'],
  ])('%s is refused at once, in a sentence', (path, why) => {
    const script = `import { prepareDataFolder } from ${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)}
      try { prepareDataFolder(${JSON.stringify(path)}) } catch (error) { console.log(error.message) }`
    // in a process of its own: a synchronous call that hangs cannot be stopped from within
    const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect(signal).toBeNull()
    expect(stdout).toMatch(new RegExp(`^The data folder "${path}" cannot be used: ${why}`))
    expect(stdout).toContain('DATA_DIR')
  })
  it('gets whole files that only its user can read, and missing folders are created', async () => {
    prepareDataFolder(folder)
    const file = join(folder, 'secrets', 'key')
    await writeWhole(file, 'one')
    await writeWhole(file, 'two')
    expect(readFileSync(file, 'utf8')).toBe('two')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(folder, 'secrets'))).toEqual(['key'])
  })
})

describe.skipIf(!isRoot)('the data folder of an ordinary user, used by root', () => {
  beforeEach(() => {
    mkdirSync(folder, { mode: 0o700 })
    chownSync(folder, nobody, nobody)
  })
  it('gets files and folders that belong to the user', async () => {
    prepareDataFolder(folder)
    await writeWhole(join(folder, 'mail', 'one.eml'), 'Hello')
    expect(owners()).toEqual({ '/data': nobody, '/data/mail': nobody, '/data/mail/one.eml': nobody })
    expect(asNobody(`prepareDataFolder(folder); await writeWhole(folder + '/mail/two.eml', 'x')`)).toBe('fine')
  })
  it('gives files that an earlier start by root left back to the user', () => {
    for (const name of ['secrets', 'mail', 'uploads', 'postgres']) {
      mkdirSync(join(folder, name), { mode: 0o700 })
      writeFileSync(join(folder, name, 'file'), 'x', { mode: 0o600 })
    }
    expect(asNobody('prepareDataFolder(folder)')).toBe(
      `"${folder}/secrets" belongs to the system user 0, and this server runs as 65534. Give it back with ` +
        `"chown -R 65534 ${folder}" as root, or choose another folder with DATA_DIR.`,
    )
    prepareDataFolder(folder)
    expect(asNobody('prepareDataFolder(folder)')).toBe('fine')
    const now = owners()
    for (const name of ['secrets', 'mail', 'uploads'])
      expect([now[`/data/${name}`], now[`/data/${name}/file`]]).toEqual([nobody, nobody])
    // the folder of PostgreSQL changes owner elsewhere (`handOver`)
    expect(now['/data/postgres/file']).toBe(0)
  })
  it('names a file that belongs to another user', async () => {
    await writeWhole(join(folder, 'uploads', 'logo.webp'), 'x')
    chownSync(join(folder, 'uploads', 'logo.webp'), 0, 0)
    expect(asNobody('prepareDataFolder(folder)')).toContain(
      `"${folder}/uploads/logo.webp" belongs to the system user 0`,
    )
  })
  it('does not give away files of root that links in the folder point to', async () => {
    const elsewhere = join(root, 'elsewhere')
    writeFileSync(elsewhere, 'of root', { mode: 0o600 })
    mkdirSync(join(folder, 'mail'))
    linkSync(elsewhere, join(folder, 'mail', 'hard'))
    symlinkSync(elsewhere, join(folder, 'mail', 'soft'))
    symlinkSync(elsewhere, join(folder, 'mail', 'one.eml.new'))
    prepareDataFolder(folder)
    await writeWhole(join(folder, 'mail', 'one.eml'), 'Hello')
    expect(statSync(elsewhere).uid).toBe(0)
    expect(readFileSync(elsewhere, 'utf8')).toBe('of root')
  })
})

describe('a disk that cannot be written', () => {
  it.each([
    ['ENOSPC', 'its disk is full. Free some space.'],
    ['EROFS', 'its file system is read-only.'],
    ['EACCES', 'It has to belong to the system user'],
  ])('gives an error that says what to do (%s)', (code, sentence) => {
    const { message } = unusableFolder('/srv/data', Object.assign(new Error(`${code}: mkdir`), { code }))
    expect(message).toMatch(/^The data folder "\/srv\/data" cannot be used: /)
    expect(message).toContain(sentence)
    expect(message.includes(code)).toBe(code === 'EACCES')
  })
})
