import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('a slider has the same thumb in all browsers, and every slider is one', () => {
  const css = readFileSync(new URL('base.css', import.meta.url), 'utf8')
  const paint = (name: string) =>
    new RegExp(`&::${name} \\{([^}]*)\\}`).exec(css)?.[1]?.match(/(?:border|background)[\w-]*: .*/g)
  expect(paint('-moz-range-thumb')).toHaveLength(3)
  expect(paint('-moz-range-thumb')).toEqual(paint('-webkit-slider-thumb'))
  const sliders = globSync('src/**/*.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/<input[^<]*?type="range"[^<]*?\/>/g)].map(([input]) => input),
  )
  expect(sliders.length).toBeGreaterThan(0)
  for (const input of sliders) expect(input).toMatch(/className="[^"]*\bslider\b/)
})
