import type { TestProject } from 'vitest/node'
import { findChromium, presentHeadlessShell } from '../../scripts/find-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser of stories; null where there is none. */
    chromium: string | null
  }
}

/** Chromium, installed where that is possible; the shell where there is one (decision 56). */
export default function setup(project: TestProject) {
  const whole = process.env['NO_BROWSER'] ? null : findChromium()
  if (!whole && process.env['REQUIRE_BROWSER']) throw new Error('REQUIRE_BROWSER is set and there is no Chromium.')
  // tests that start a browser of their own find it here
  if (whole) process.env['CHROME_PATH'] = whole
  project.provide('chromium', whole ? (presentHeadlessShell() ?? whole) : null)
}
