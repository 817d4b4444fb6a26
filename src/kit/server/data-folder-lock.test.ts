import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataFolderInUse, lockDataFolder } from './data-folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lock-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the data folder is created readable for its user only', () => {
  const lock = lockDataFolder(join(folder, 'data'))
  expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
  lock.release()
})

test('a locked folder refuses other processes, with the number of the holder, until it is released', () => {
  const lock = lockDataFolder(folder, { says: 'hello' })
  expect(() => lockDataFolder(folder)).toThrow(
    `Another server is already running on the data folder "${folder}" (process ${process.pid}). ` +
      'Stop it, or choose another folder with DATA_DIR.',
  )
  expect(refusal()).toMatchObject({ pid: process.pid, note: { says: 'hello' } })
  lock.announce({ says: 'ready' })
  expect(refusal().note).toEqual({ says: 'ready' })

  lock.release()
  lock.release()
  lockDataFolder(folder).release()
  expect(existsSync(join(folder, 'server.json'))).toBe(false)
})

test('a killed holder leaves the folder free at once', async () => {
  const holder = contender()
  expect(await answerOf(holder)).toBe('locked')
  expect(refusal().pid).toBe(holder.pid)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  lockDataFolder(folder).release()
})

test('of several processes that lock the folder at once, exactly one gets it', async () => {
  const contenders = Array.from({ length: 6 }, contender)
  const answers = await Promise.all(contenders.map(answerOf))
  for (const it of contenders) it.kill('SIGKILL')
  expect(answers.toSorted()).toEqual(['locked', ...Array(5).fill('refused')])
})

test('a folder that cannot be created is refused with a sentence', () => {
  expect(() => lockDataFolder('/dev/null/data')).toThrow(
    /^The data folder "\/dev\/null\/data" cannot be used: "\/dev\/null" is no folder/,
  )
})

function refusal(): DataFolderInUse {
  try {
    lockDataFolder(folder).release()
  } catch (error) {
    if (error instanceof DataFolderInUse) return error
    throw error
  }
  throw new Error('was not refused')
}

function contender() {
  const code = `
    import { lockDataFolder } from ${JSON.stringify(new URL('./data-folder-lock.ts', import.meta.url).href)}
    let answer = 'refused'
    try { lockDataFolder(${JSON.stringify(folder)}); gc(); answer = 'locked' } catch {}
    console.log(answer)
    setInterval(() => {}, 1000)`
  return spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function answerOf(it: ReturnType<typeof contender>) {
  const [chunk] = (await once(it.stdout, 'data')) as [Buffer]
  return chunk.toString().trim()
}
