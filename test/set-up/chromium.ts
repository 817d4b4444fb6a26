import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { presentChromium, presentHeadlessShell } from '../../scripts/find-chromium.ts'
import { launchOptions } from '../stories/chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of the run listens; null where there is none. */
    chromium: string | null
  }
}

/** One Chromium for the whole run; each visit has a context of its own in it. */
export default async function setup(project: TestProject) {
  const whole = presentChromium()
  if (!whole || process.env['NO_BROWSER']) {
    project.provide('chromium', null)
    return
  }
  const executablePath = presentHeadlessShell() ?? whole
  const server = await chromium.launchServer({ ...launchOptions, executablePath, host: '127.0.0.1' })
  project.provide('chromium', server.wsEndpoint())
  return () => server.close()
}
