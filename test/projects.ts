import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/**
 * What the tests of a project need before they run: `unit` nothing, `api` a database, `browser` a database, the built
 * screens and, where there is one, Chromium.
 */
export const projects = ['unit', 'api', 'browser'] as const
export type Project = (typeof projects)[number]

const root = resolve(import.meta.dirname, '..')

/** Every test file of the house by its project. */
export function testFiles(): Record<Project, string[]> {
  const files: Record<Project, string[]> = { unit: [], api: [], browser: [] }
  for (const file of globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'test/stories/**/*.e2e.ts'], { cwd: root }))
    files[projectOf(file)].push(file)
  return files
}

/** A file's own words and what it imports from test/ say what it needs, so no list has to be kept. */
export function projectOf(file: string): Project {
  const seen = new Map<string, string>()
  read(resolve(root, file), seen)
  const imported = [...seen.keys()].map((path) => relative(root, path).replaceAll('\\', '/'))
  // the built screens, asked for by an app in the process or served by a server that the test starts
  const needsBuild =
    imported.includes('test/built-pages.ts') ||
    [...seen.values()].some((text) => /pages:\s*true|execPath,\s*\['build\/app\/main\.mjs'/.test(text))
  if (needsBuild) return 'browser'
  const needsDatabase = ['test/databases.ts', 'test/app-on.ts'].some((file) => imported.includes(file))
  return needsDatabase ? 'api' : 'unit'
}

/** A file and, in turn, those of test/ that it imports, with their texts. */
function read(path: string, seen: Map<string, string>): void {
  if (seen.has(path)) return
  const text = readFileSync(path, 'utf8')
  seen.set(path, text)
  for (const [, specifier] of text.matchAll(/^(?:import|export|\})[^']*'(\.{1,2}\/[^']+\.ts)'/gm)) {
    const imported = join(dirname(path), specifier!)
    if (imported.startsWith(join(root, 'test/'))) read(imported, seen)
  }
}
