import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { projects } from '../test/projects.ts'
import type { TestReport } from './count-tests.ts'
import { findChromium } from './find-chromium.ts'
import { root } from './sources.ts'

/**
 * `npm test`: every test, and types, lint and format beside them. `npm test -- src/deals` runs only the tests below a
 * path and what they need; `--whole` runs those of the whole run too (test/whole.ts). Ends with the line
 * `N passed, N failed, N skipped`, in which each check counts as one test.
 */
const given = process.argv.slice(2)
const isWhole = given.includes('--whole')
const only = given.filter((each) => each !== '--whole')
const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const counts = { passed: 0, failed: 0, skipped: 0 }

const chromium = findChromium()
if (!chromium && process.env['REQUIRE_BROWSER']) fault('REQUIRE_BROWSER is set and there is no Chromium.')
await Promise.all([runTests(), only.length === 0 ? runChecks() : null])
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = counts.failed > 0 ? 1 : 0

async function runTests() {
  const file = join(tmpdir(), `rheinklang-tests-${process.pid}.json`)
  const reporters = ['--reporter=default', '--reporter=./scripts/count-tests.ts']
  const vitest = spawn(bin('vitest'), ['run', ...reporters, ...only], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_REPORT: file,
      ...(chromium ? { CHROME_PATH: chromium } : {}),
      ...(isWhole ? { WHOLE_TESTS: 'yes' } : {}),
    },
  })
  const status = await endOf(vitest)
  const report = reportIn(file)
  if (!report) return fault(`vitest ended without a report (${status}).`)
  for (const each of report.faults) fault(each)
  for (const each of Object.values(report.projects)) {
    counts.passed += each.passed
    counts.failed += each.failed
    counts.skipped += each.skipped
  }
  if (only.length === 0)
    for (const name of projects) {
      const { passed = 0, failed = 0, skipped = 0 } = report.projects[name] ?? {}
      if (passed + failed + skipped === 0) fault(`The project ${name} ran no test.`)
    }
  if (status !== 0 && counts.failed === 0) fault(`vitest failed (${status}) though no test did.`)
}

function reportIn(file: string): TestReport | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TestReport
  } catch {
    return null
  } finally {
    rmSync(file, { force: true })
  }
}

/** One after the other, in the time that the tests leave over; the types of routes first, for the others read them. */
async function runChecks() {
  await check('route types', bin('react-router'), ['typegen'])
  // the compiler of the linter reads every file once for both
  await check('types and lint', bin('oxlint'), ['--type-aware', '--type-check', '--deny-warnings', '.'])
  await check('format', bin('prettier'), ['--check', '--log-level', 'warn', '.'])
  await check('database types', process.execPath, ['scripts/generate-types.ts', '--check'])
}

async function check(name: string, command: string, args: string[]) {
  const started = performance.now()
  const run = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  if (run.pid) setPriority(run.pid, 5)
  // shown in one piece, or it would be lost between the lines of the tests
  let output = ''
  for (const stream of [run.stdout, run.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const status = await endOf(run)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (status === 0) counts.passed++
  else counts.failed++
  console.log(`${status === 0 ? '✓' : `${output}✗`} ${name} (${seconds} s)`)
}

/** The exit code, or why there is none. */
function endOf(child: ReturnType<typeof spawn>): Promise<number | string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'ended'))
  })
}

function fault(sentence: string) {
  counts.failed++
  console.error(`✗ ${sentence}`)
}
