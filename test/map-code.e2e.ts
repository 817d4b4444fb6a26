import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clientDir } from './built-pages.ts'

const assets = join(clientDir, 'assets')

/** All files that these import statically, directly or through others. */
function reachable(start: string[]): Set<string> {
  const seen = new Set<string>()
  const visit = (name: string) => {
    if (seen.has(name)) return
    seen.add(name)
    const code = readFileSync(join(assets, name), 'utf8')
    for (const [, other] of code.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) visit(other!)
  }
  start.forEach(visit)
  return seen
}

describe('the built pages', () => {
  const files = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const named = (...names: string[]) => files.filter((file) => names.some((name) => file.startsWith(`${name}-`)))
  const isMapLibre = (name: string) => readFileSync(join(assets, name), 'utf8').includes('maplibregl')

  it('contain MapLibre somewhere, so that the next test can fail', () => {
    expect(files.filter(isMapLibre).length).toBeGreaterThan(0)
  })

  it.each(['HomeScreen', 'DealsScreen', 'DealScreen', 'BusinessScreen', 'DealsMapScreen'])(
    'reach none of it from %s before somebody turns to the map',
    (screen) => {
      const own = named('root', 'entry.client', 'Frame', screen)
      expect(own.length).toBeGreaterThanOrEqual(4)
      expect([...reachable(own)].filter(isMapLibre)).toEqual([])
    },
  )

  it('load at most 460 kB of gzip for the map', () => {
    const lazy = [
      ...named('engine', 'pack'),
      ...files.filter((name) => /maplibre-gl-worker/.test(name) && statSync(join(assets, name)).size > 10_000),
    ]
    expect(lazy.length).toBe(3)
    const bytes = lazy.reduce((sum, name) => sum + statSync(join(assets, `${name}.gz`)).size, 0)
    expect(bytes).toBeLessThanOrEqual(460_000)
  })
})
