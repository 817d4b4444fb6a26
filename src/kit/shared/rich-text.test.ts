import { expect, it } from 'vitest'
import { readMarkdown } from '../server/markdown.ts'
import { plainText } from './rich-text.ts'

const plain = (markdown: string) => plainText(readMarkdown(markdown, 'dropped').content)

it('a rich text without its marks has paragraphs, list items and the addresses of its links', () => {
  const markdown = [
    '## Line-up',
    '**Loud** and *quiet*, see [the band](https://example.org/band).',
    '- first\n- second',
    '3. third\n4. fourth',
    '> quoted',
  ].join('\n\n')
  expect(plain(markdown)).toBe(
    [
      'Line-up',
      'Loud and quiet, see the band (https://example.org/band).',
      '• first\n• second',
      '3. third\n4. fourth',
      'quoted',
    ].join('\n\n'),
  )
})

it('a link whose text is its address has it once', () => {
  expect(plain('See https://example.org/ and [example.org](https://example.org).')).toBe(
    'See https://example.org/ and example.org.',
  )
})
