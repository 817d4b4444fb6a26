import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Button } from '../kit/browser/ui/Button.tsx'
import { pageNumbers } from '../kit/browser/ui/Pagination.tsx'
import { TextField } from '../kit/browser/ui/TextField.tsx'

describe('parts rendered on the server', () => {
  it('connect an error and a help text with their field', () => {
    const html = renderToString(
      h(TextField, { id: 'mail', label: 'Email', help: 'We write rarely.', error: 'Not one.' }),
    )
    expect(html).toContain('<label for="mail"')
    expect(html).toContain('aria-describedby="mail-error mail-help"')
    expect(html).toContain('aria-invalid="true"')
  })

  it('a button is disabled while sending, and says so', () => {
    const html = renderToString(h(Button, { loading: true, loadingText: 'Saving...', children: 'Save' }))
    expect(html).toMatch(/disabled=""/)
    expect(html).toContain('aria-busy="true"')
    expect(html).toContain('Saving...')
  })
})

it('pagination has the first, the last and neighbouring pages', () => {
  expect(pageNumbers(1, 2)).toEqual([1, 2])
  expect(pageNumbers(5, 9)).toEqual([1, null, 4, 5, 6, null, 9])
})
