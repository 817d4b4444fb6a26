import { it } from 'vitest'

/**
 * A test run has two forms (docs/decisions/0061-two-test-runs.md): that of each change, in which each rule is tried once, and the whole one,
 * `npm test -- --whole`, with all languages, sizes and rounds.
 */
export const isWhole = process.env['WHOLE_TESTS'] === 'yes'

/** What a test takes in the run of each change, and in the whole one. */
export const reach = <T>(short: T, whole: T): T => (isWhole ? whole : short)

/** A test of the whole run alone, skipped in the run of each change: its rule is tried by another one, or seldom touched. */
export const itInWholeRun = it.runIf(isWhole)
