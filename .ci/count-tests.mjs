// Prints "N passed, N failed, N skipped" of a report of vitest (its reporter "json"), and ends with 1 where anything failed.
import { readFileSync } from 'node:fs'

let report
try {
  report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
} catch {
  console.log('0 passed, 1 failed, 0 skipped')
  process.exit(1)
}
const { numPassedTests: passed, numPendingTests, numTodoTests, success, testResults } = report
// a file that cannot be loaded has no test that failed
const broken = testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
)
for (const { name, message } of broken) console.log(`✗ ${name} could not be run: ${message}`)
let failed = report.numFailedTests + broken.length
// errors that nobody caught belong to no test
if (!(success && process.argv[3] === '0') && failed === 0) failed = 1
console.log(`${passed} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped`)
process.exit(failed > 0 ? 1 : 0)
