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
  const { app } = await appForTest()
  const served = app.operations.map(({ endpoint: { method, path } }) => `${method} ${path}`)
  expect(askedFor().length).toBeGreaterThan(30)
  expect(askedFor().filter((operation) => !served.includes(operation))).toEqual([])
})

it('nobody talks a call into types that it does not have', () => {
  const casts = globSync('src/**/*.{ts,tsx}')
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => {
      const source = readFileSync(file, 'utf8')
      const found = source.matchAll(
        /as (?:never|unknown) as (?:CallInput|Answer|Operation)\b|\b(?:ask|askOrFail|send|call|useAnswer|operation)\((?:[^()]|\([^()]*\))*\bas (?:never|unknown)\b(?:[^()]|\([^()]*\))*\)/g,
      )
      return [...found].map(([cast]) => `${file}: ${cast}`)
    })
  expect(casts).toEqual([])
})
