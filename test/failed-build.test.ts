import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

/** A folder with an older build, whose build tool is the script `tools`. */
function folderOf(tools: string | null) {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync('scripts', join(folder, 'scripts'), { recursive: true })
  for (const name of ['src', 'messages', 'public']) mkdirSync(join(folder, name))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const file of ['package-lock.json', 'vite.config.ts', 'react-router.config.ts']) write(file, '')
  write('package.json', '{ "type": "module" }')
  if (tools) write('node_modules/@react-router/dev/bin.cjs', tools)
  write('build/sources', 'the hash of the version before')
  return folder
}

function release(tools: string | null) {
  const folder = folderOf(tools)
  const { status } = spawnSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: folder, encoding: 'utf8' })
  return { status, isStamped: existsSync(join(folder, 'build/sources')) }
}

it('a build that fails halfway belongs to no version, so that going back builds again', () => {
  expect(release('process.exit(1)')).toEqual({ status: 1, isStamped: false })
})

it('a build that cannot begin leaves the previous build', () => {
  expect(release(null)).toEqual({ status: 1, isStamped: true })
})

it('a build waits for another of the same folder', async () => {
  const folder = folderOf(`
    const { appendFileSync } = require('node:fs')
    appendFileSync('steps', 'begins ')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    appendFileSync('steps', 'ends ')
    process.exit(1)`)
  const builds = [1, 2].map(() => spawn(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: folder }))
  await Promise.all(builds.map((build) => once(build, 'exit')))
  expect(readFileSync(join(folder, 'steps'), 'utf8')).toBe('begins ends begins ends ')
})
