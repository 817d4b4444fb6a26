import { describe, expect, it } from 'vitest'
import { creditsIn } from './credits.ts'

describe('credits of an online map', () => {
  it('become text and links', () => {
    expect(
      creditsIn([
        '<a href="https://www.maptiler.com/copyright/" target="_blank">&copy; MapTiler</a> <a href=\'https://www.openstreetmap.org/copyright\'>&#169; OpenStreetMap contributors</a>',
        '&copy; <b>swisstopo</b>',
      ]),
    ).toEqual([
      { text: '© MapTiler', href: 'https://www.maptiler.com/copyright/' },
      { text: '© OpenStreetMap contributors', href: 'https://www.openstreetmap.org/copyright' },
      { text: '© swisstopo' },
    ])
  })

  it('have each name once, and no markup, script or other schemes', () => {
    expect(
      creditsIn([
        'A | <a href="javascript:alert(1)">B</a> <img src=x onerror=alert(1)>',
        'A',
        '',
        ' | ',
        '&lt;script&gt; &#0;&nope;',
      ]),
    ).toEqual([{ text: 'A' }, { text: 'B' }, { text: '<script> &nope;' }])
    expect(creditsIn(['<a href="javascript:alert(1)">B</a>'])).toEqual([{ text: 'B' }])
  })
})
