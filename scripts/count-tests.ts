import { writeFileSync } from 'node:fs'
import type { SerializedError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** How the tests of one project ended. */
export interface Counts {
  passed: number
  failed: number
  skipped: number
}

export interface TestReport {
  projects: Record<string, Counts>
  /** What belongs to no test: files that cannot be loaded, set-ups that fail, errors that nobody caught. */
  faults: string[]
}

/** A reporter of vitest that leaves a `TestReport` in the file `TEST_REPORT`. */
export default class CountTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const report: TestReport = { projects: {}, faults: errors.map(({ message }) => message) }
    for (const module of modules) {
      const counts = (report.projects[module.project.name] ??= { passed: 0, failed: 0, skipped: 0 })
      let failed = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        // a test that was never run, for the run broke off
        if (state === 'pending') report.faults.push(`${module.moduleId} broke off at “${test.fullName}”`)
        else counts[state]++
        if (state === 'failed') failed++
      }
      if (!module.ok() && failed === 0) report.faults.push(`${module.moduleId} could not be run`)
    }
    writeFileSync(process.env['TEST_REPORT']!, JSON.stringify(report))
  }
}
