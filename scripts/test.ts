import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './find-chromium.ts'
import { root } from './sources.ts'

/**
 * `npm test`: types, lint, format, then every test. `npm test -- src/deals` runs only the tests below a path and skips
 * the rest. Ends with the line `N passed, N failed, N skipped`, in which each check counts as one test.
 */
const only = process.argv.slice(2)
const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const counts = { passed: 0, failed: 0, skipped: 0 }

if (only.length === 0) {
  check('route types', bin('react-router'), ['typegen'])
  check('types', bin('tsc'), ['--noEmit', '-p', '.'])
  check('lint', bin('oxlint'), ['--type-aware', '--deny-warnings', 'src', 'test', 'scripts', 'bench'])
  check('format', bin('prettier'), ['--check', '--log-level', 'warn', '.'])
  check('database types', process.execPath, ['scripts/generate-types.ts', '--check'])
}

const chromium = findChromium()
if (!chromium && process.env['REQUIRE_BROWSER']) {
  counts.failed++
  console.error('REQUIRE_BROWSER is set and there is no Chromium.')
}
const report = join(tmpdir(), `rheinklang-tests-${process.pid}.json`)
spawnSync(bin('vitest'), ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...only], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(chromium ? { CHROME_PATH: chromium } : {}) },
})
try {
  const result = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number | boolean>
  counts.passed += Number(result['numPassedTests'])
  counts.failed += Number(result['numFailedTests'])
  counts.skipped += Number(result['numPendingTests'])
  // a file that could not even be loaded, or a failed set-up
  if (!result['success'] && counts.failed === 0) counts.failed++
} catch {
  counts.failed++
}
rmSync(report, { force: true })

console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = counts.failed > 0 ? 1 : 0

function check(name: string, command: string, args: string[]) {
  const started = performance.now()
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${status === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (status === 0) counts.passed++
  else counts.failed++
}
