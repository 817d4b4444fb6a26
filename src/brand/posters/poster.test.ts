import { describe, expect, it } from 'vitest'
import { posterOgSvg } from './poster-og.ts'
import { posterSvg, type PosterOf } from './poster.ts'

const kinds = ['deal', 'business', 'event'] as const
const categories = [
  'food',
  'drinks',
  'nightlife',
  'shopping',
  'culture',
  'wellness',
  'music',
  'workshop',
  'family',
  'sport',
  'other',
]
const many: PosterOf[] = Array.from({ length: 3000 }, (_, k) => ({
  id: `id-${k}`,
  kind: kinds[k % 3]!,
  category: categories[k % 11]!,
  title: ['Zürcher Geschnetzeltes', 'Écume', '3 Bier', '<b>"&\'', '漢字', ''][k % 6]!,
}))
const shapeOf = (svg: string) => svg.replace(/#[0-9a-f]{6}/g, '').replace(/-?[\d.]+/g, '0')

describe('the poster of a thing without a picture', () => {
  it('is the same every time, and different for another id', () => {
    const cafe: PosterOf = { id: 'a', kind: 'business', category: 'food', title: 'Café Rhein' }
    expect(posterSvg(cafe)).toBe(posterSvg({ ...cafe }))
    expect(posterSvg(cafe)).not.toBe(posterSvg({ ...cafe, id: 'b' }))
  })

  it('stays under 6 kB', () => {
    expect(Math.max(...many.map((of) => posterSvg(of).length))).toBeLessThan(6000)
  })

  it('has at least eight compositions and five colourways of a category', () => {
    const deals = Array.from({ length: 400 }, (_, k) =>
      posterSvg({ id: `${k}`, kind: 'deal', category: 'food', title: 'A' }),
    )
    expect(new Set(deals.map(shapeOf)).size).toBeGreaterThanOrEqual(8)
    expect(new Set(deals.map((svg) => /<rect[^>]*fill="(#\w+)"/.exec(svg)?.[1])).size).toBeGreaterThanOrEqual(5)
  })

  it('has nothing that a strict policy blocks, and no broken number', () => {
    for (const of of many)
      expect(posterSvg(of)).not.toMatch(/style|<script|<text|href|url\((?!#)|NaN|undefined|Infinity|on\w+=/i)
  })

  it('lets no title become mark-up', () => {
    const title = '"><script>alert(1)</script>'
    for (const kind of kinds) {
      expect(posterSvg({ id: title, kind, category: title, title })).not.toContain('script')
      expect(posterOgSvg({ id: title, kind, category: title, title, by: title })).not.toContain('script')
    }
  })

  it('uses the line below for a title without a drawable letter, and leaves no gaps for missing characters', () => {
    const of: PosterOf = { id: 'x', kind: 'deal', category: 'food', title: '🎶🎉' }
    const words = (title: string, by: string) =>
      posterOgSvg({ ...of, title, by })
        .split('<g fill=')
        .slice(1, 3)
    expect(words('🎶🎉', 'Bar Nord')[0]).toBe(words('Bar Nord', '')[0])
    expect(words('🎶 Vinyl 🎉 für 1', '')).toEqual(words('Vinyl für 1', ''))
  })

  it('takes an unknown category as other', () => {
    expect(posterSvg({ id: 'x', kind: 'deal', category: 'constructor', title: '' })).toBe(
      posterSvg({ id: 'x', kind: 'deal', category: 'other', title: '' }),
    )
  })

  it('is well-formed', () => {
    for (const of of many.slice(0, 600)) {
      const open: string[] = []
      for (const [, close, name, self] of posterOgSvg({ ...of, by: 'Bar Nord' }).matchAll(
        /<(\/?)([\w]+)[^<>]*?(\/?)>/g,
      )) {
        if (close) expect(open.pop()).toBe(name)
        else if (!self) open.push(name!)
      }
      expect(open).toEqual([])
    }
  })
})
