import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { appForTest } from './start-app.ts'

/** Every operation that a screen asks for, as it stands in the sources. */
function askedFor(): string[] {
  const found = new Set<string>()
  for (const file of globSync('src/**/*.{ts,tsx}'))
    for (const [, operation] of readFileSync(file, 'utf8').matchAll(/apiCall<[^(]*\(\s*'([A-Z]+ [^']+)'/g))
      found.add(operation!)
  return [...found]
}

it('screens ask only endpoints that exist', async () => {
  const app = await appForTest()
  const { paths } = (await (await fetch(`${app.url}/api/openapi.json`)).json()) as { paths: Record<string, object> }
  const exists = (operation: string) => {
    const [method, path] = operation.split(' ')
    return method!.toLowerCase() in (paths[path!] ?? {})
  }
  expect(askedFor().length).toBeGreaterThan(30)
  expect(askedFor().filter((operation) => !exists(operation))).toEqual([])
})
