import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { TestReport } from '../scripts/count-tests.ts'
import { projectOf, testFiles } from './projects.ts'

describe('a test file belongs to the project that gives it what it needs', () => {
  it.each([
    ['src/kit/shared/slug.test.ts', 'unit'],
    ['test/boundaries.test.ts', 'unit'],
    ['test/projects.test.ts', 'unit'],
    ['src/deals/server/deals.test.ts', 'api'],
    // only what it imports says so
    ['src/businesses/server/import-rows.test.ts', 'api'],
    ['src/app/server/server.test.ts', 'browser'],
    ['test/map-code.test.ts', 'browser'],
    ['test/lifecycle.test.ts', 'browser'],
    ['test/stories/links.e2e.ts', 'browser'],
  ] as const)('%s: %s', (file, project) => expect(projectOf(file)).toBe(project))

  it('and to one alone', () => {
    const all = Object.values(testFiles()).flat()
    expect(all.length).toBeGreaterThan(100)
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('the count of a run', () => {
  it('has what passed, failed and was skipped, and names what could not be run', async () => {
    const { status, report } = await runOf({
      'good.test.ts': `import { it } from 'vitest'; it('is fine', () => {}); it.skip('is skipped', () => {})`,
      'bad.test.ts': `import { it } from 'vitest'; it('fails', () => { throw new Error('no') })`,
      'broken.test.ts': `import './nowhere.ts'`,
      'set-up.test.ts': `import { beforeAll, it } from 'vitest'; beforeAll(() => { throw new Error('no') }); it('runs', () => {})`,
      'empty.test.ts': '',
    })
    expect(status).toBe(1)
    expect(report!.projects).toEqual({ small: { passed: 1, failed: 1, skipped: 2 } })
    const names = report!.faults.map((fault) => /([\w-]+)\.test\.ts/.exec(fault)?.[1] ?? fault)
    expect(names.toSorted()).toEqual(['broken', 'empty', 'set-up'])
  })

  it('is not green after a worker that died, nor where an error was caught by nobody', async () => {
    const { status, report } = await runOf({
      'dies.test.ts': `import { it } from 'vitest'; it('ends the process', () => process.kill(process.pid, 'SIGKILL'))`,
      'throws.test.ts': `import { it } from 'vitest'; it('is fine', () => { setTimeout(() => { throw new Error('late') }); return new Promise((done) => setTimeout(done, 50)) })`,
    })
    expect(status).toBe(1)
    expect(report!.faults.join('\n')).toMatch(/dies\.test\.ts|exited unexpectedly/)
    expect(report!.faults).toContain('late')
  })
})

/** A run of vitest over these files in a folder of their own. */
async function runOf(files: Record<string, string>) {
  mkdirSync('test-results', { recursive: true })
  const folder = mkdtempSync(join(process.cwd(), 'test-results', 'run-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `export default { test: { name: 'small', include: ['*.test.ts'], maxWorkers: 1, pool: 'forks' } }`,
  )
  const path = join(folder, 'report.json')
  const reporter = `--reporter=${join(process.cwd(), 'scripts', 'count-tests.ts')}`
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--root', folder, reporter]
  const status = await new Promise<number>((resolve) => {
    const env = { ...process.env, TEST_REPORT: path }
    execFile(process.execPath, args, { env }, (failure) => resolve(failure ? Number(failure.code) : 0))
  })
  return { status, report: JSON.parse(readFileSync(path, 'utf8')) as TestReport }
}
