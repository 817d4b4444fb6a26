import type { TestProject } from 'vitest/node'
import { firefoxPath, webkitPaths } from '../engines/engine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Firefox; null where there is none. */
    firefox: string | null
    /** WebKitGTK with its driver and a screen in memory; null where one of them lacks. */
    webkit: { driver: string; browser: string } | null
  }
}

export default function setup(project: TestProject) {
  const isOff = Boolean(process.env['NO_BROWSER'])
  const [firefox, webkit] = isOff ? [null, null] : [firefoxPath(), webkitPaths()]
  if (!firefox) process.stderr.write('Skipped: stories in Firefox (Debian’s package firefox-esr).\n')
  if (!webkit) process.stderr.write('Skipped: stories in WebKit (Debian’s packages webkit2gtk-driver and xvfb).\n')
  project.provide('firefox', firefox)
  project.provide('webkit', webkit)
}
