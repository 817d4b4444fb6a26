import { describe, expect, it } from 'vitest'
import { markdownOfHtml, plainOfHtml } from './html-text.ts'

describe('HTML as Markdown', () => {
  it.each([
    ['a < b', 'a < b'],
    ['a <b and c> d', 'a <b and c> d'],
    ['Rock & Roll', 'Rock & Roll'],
    ['AT&T; <3', 'AT&T; <3'],
    ['two\n\nparagraphs  *as* they are_', 'two\n\nparagraphs  *as* they are_'],
    ['mail <lena@example.org>', 'mail <lena@example.org>'],
    ['Rock &amp; Roll', 'Rock & Roll'],
    ['Caf&eacute; &#8211; &#x2013; &#150; &bdquo;x&ldquo;', 'Café – – – „x“'],
    ['&unknown; &#0; &#xd800; &#9999999;', '&unknown; &#0; &#xd800; &#9999999;'],
    ['&amp;lt; once', '&lt; once'],
  ])('plain text “%s” becomes “%s”', (text, markdown) => expect(markdownOfHtml(text)).toBe(markdown))

  it.each([
    [
      '<p>Doors <b>19:30</b><br>Tickets: <a href="https://example.org/t">here</a>&nbsp;only</p><ul><li>One</li></ul>',
      'Doors **19:30**\nTickets: [here](https://example.org/t) only\n\n- One',
    ],
    ['<b>Bold</b> and\nnew line', '**Bold** and\nnew line'],
    ['<div>One</div>\n<div> Two\n words </div>', 'One\n\nTwo words'],
    ['<b> spaced </b>out', ' **spaced** out'.trim()],
    ['<strong><p>Over</p><p>blocks</p></strong>', '**Over**\n\n**blocks**'],
    ['<i>ver<u>y</u></i>', '*very*'],
    ['<ol><li>One<ul><li>In</li></ul></li><li><p>Two</p></li></ol>', '1. One\n   - In\n2. Two'],
    ['<li>Without a list</li>', '- Without a list'],
    ['<h2>Line-up</h2><p>1. Mai, *all* of_it_ [x]</p>', '### Line-up\n\n1\\. Mai, \\*all\\* of_it\\_ \\[x\\]'],
    ['<style>p { a: b }</style><script>alert("<p>")</script><p>Text</p>', 'Text'],
    ['<script>never closed', ''],
    ['before <!-- hidden <b> --> after<br>', 'before after'],
    ['<a href="javascript:alert(1)">Click</a><br/>', 'Click'],
    ['<a href="https://example.org/a_(b)?x=1&amp;y=2">See</a>', '[See](https://example.org/a_%28b%29?x=1&y=2)'],
    ['<a href="https://example.org/">https://example.org</a>', 'https://example.org/'],
    ['<a href="https://example.org/t"></a>Text', 'Text'],
    [
      '<table><tr><td>20:00</td><td>Band</td></tr><tr><td>21:00</td><td>More</td></tr></table>',
      '20:00 Band\n\n21:00 More',
    ],
    ['<blockquote><p>Great</p></blockquote>', '> Great'],
    ['<p>&lt;b&gt; stays</p>', '\\<b> stays'],
    ['<p title="a > b">Text</p>', 'Text'],
  ])('%s becomes Markdown', (html, markdown) => expect(markdownOfHtml(html)).toBe(markdown))

  it('is plain text in titles', () => {
    expect(plainOfHtml('The <em>big</em> one<br>&amp; only <stop>')).toBe('The big one & only <stop>')
    expect(plainOfHtml('The <em>big</em> <stop/>one', { everyTag: true })).toBe('The big  one')
    expect(plainOfHtml('AT&T')).toBe('AT&T')
  })

  it('is read in a time that grows with its length', () => {
    for (const piece of ['<a "', '<', '<!--', '<script>', '&#', '</', '<p ', '<b>x', '<ul><li>', '_', '# '])
      expect(markdownOfHtml(piece.repeat(200_000 / piece.length)).length).toBeLessThan(400_000)
  })
})
