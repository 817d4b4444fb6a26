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
  project.provide('firefox', isOff ? null : firefoxPath())
  project.provide('webkit', isOff ? null : webkitPaths())
}
