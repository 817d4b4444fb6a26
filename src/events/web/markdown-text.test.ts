import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { MarkdownText } from './MarkdownText.tsx'

const shown = (children: string) => renderToStaticMarkup(createElement(MarkdownText, null, children))

it('An indented paragraph of a description is a paragraph, and what stands between backticks is code', () => {
  const html = shown('Bring:\n\n      a **lamp**\n\nand `rope`.')
  expect(html).toContain('<p>a <strong>lamp</strong></p>')
  expect(html).toContain('<code>rope</code>')
  expect(html).not.toContain('<pre')
})

it('HTML and links that are none of the web are no elements', () => {
  expect(shown('<b onclick="x()">a</b> [b](javascript:alert(1))')).not.toMatch(/<b|<a /)
})
