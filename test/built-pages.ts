import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Pages, ScreensBundle } from '../src/app/server/pages.ts'

/** Where the build of the run lies. A test that imports this file belongs to the project `browser`, which builds. */
export const clientDir = join(process.cwd(), 'build', 'client')
export const serverDir = join(process.cwd(), 'build', 'server')

export async function builtPages(): Promise<Pages> {
  const build = (await import(/* @vite-ignore */ pathToFileURL(join(serverDir, 'index.js')).href)) as {
    entry: { module: { screensOf(build: unknown): ScreensBundle } }
  }
  return { screens: build.entry.module.screensOf(build), clientDir }
}
