import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Pages, ScreensBundle } from '../src/app/server/pages.ts'

/** Folder of the build. Tests that import this file belong to the project `browser`, which builds first. */
export const clientDir = join(process.cwd(), 'build', 'client')
export const serverDir = join(process.cwd(), 'build', 'server')

export async function builtPages(): Promise<Pages> {
  const build = (await import(/* @vite-ignore */ pathToFileURL(join(serverDir, 'index.js')).href)) as {
    entry: { module: { screensOf(build: unknown): ScreensBundle } }
  }
  return { screens: build.entry.module.screensOf(build), clientDir }
}
