import { afterEach, expect, it, vi } from 'vitest'
import { mapInks } from '../inks.ts'
import { drawIcon } from './pins.ts'

/** A canvas context that records calls instead of drawing. */
function recordingPen(strokes: string[]) {
  const state: Record<string, unknown> = { getImageData: () => ({}) }
  return new Proxy(state, {
    get: (target, name) =>
      target[name as string] ?? ((...args: unknown[]) => strokes.push(`${String(name)} ${args.map(String).join(' ')}`)),
    set: (target, name, value) => {
      strokes.push(`${String(name)}=${value}`)
      return Reflect.set(target, name, value)
    },
  })
}

/** The calls that draw an icon, as text. */
function drawn(name: string): string | null {
  const strokes: string[] = []
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => recordingPen(strokes) }) })
  vi.stubGlobal(
    'Path2D',
    class {
      #d: string
      constructor(d: string) {
        this.#d = d
      }
      toString() {
        return this.#d
      }
    },
  )
  return drawIcon(name, mapInks.paper) && strokes.join('\n')
}

afterEach(() => vi.unstubAllGlobals())

it('a pin looks different for each category, for paid ones, and for now, the last hours and later', () => {
  const names = ['deal', 'premium'].flatMap((kind) =>
    ['food', 'drinks', 'nightlife', 'shopping', 'culture', 'wellness', 'other'].flatMap((category) =>
      ['now', 'ending', 'later'].map((time) => `${kind} ${category} ${time}`),
    ),
  )
  const looks = names.map(drawn)
  expect(looks).not.toContain(null)
  expect(new Set(looks).size).toBe(names.length)
})

it('a deal in its last hours has the pin of "now", with a clock', () => {
  expect(drawn('deal food ending')!.startsWith(drawn('deal food now')!)).toBe(true)
})

it('an unknown name has no icon', () => {
  expect(drawn('deal')).toBeNull()
  expect(drawn('poi food now')).toBeNull()
})
