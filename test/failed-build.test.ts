import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

/** A release that was built before, whose build tools do as `tools` says. */
function release(tools: string | null) {
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
  const { status } = spawnSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: folder, encoding: 'utf8' })
  return { status, isStamped: existsSync(join(folder, 'build/sources')) }
}

it('a build that fails halfway counts for no version, so that going back builds anew', () => {
  expect(release('process.exit(1)')).toEqual({ status: 1, isStamped: false })
})

it('a build that cannot begin leaves the one before it', () => {
  expect(release(null)).toEqual({ status: 1, isStamped: true })
})
