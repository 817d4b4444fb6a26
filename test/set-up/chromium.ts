import type { TestProject } from 'vitest/node'
import { presentChromium, presentHeadlessShell } from '../../scripts/find-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser of stories; null where there is none. */
    chromium: string | null
  }
}

/** The shell where it is installed (decision 56). */
export default function setup(project: TestProject) {
  const whole = process.env['NO_BROWSER'] ? null : presentChromium()
  project.provide('chromium', whole ? (presentHeadlessShell() ?? whole) : null)
}
