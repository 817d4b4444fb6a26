import { expect, it } from 'vitest'
import { layOut } from './layout.ts'

const letter = {
  to: 'lena@example.org',
  subject: 'Please confirm your email address',
  greeting: 'Hello Lena & Co',
  paragraphs: ['Welcome to Rheinklang!', 'The link is valid for 24 hours.'],
  button: { label: 'Confirm address', url: 'https://festival.example/verify-email?token=1' },
  footer: 'You signed up.',
}
const { html, text } = layOut(letter, { locale: 'en', festival: 'Rheinklang' })

it('a mail previews its first paragraph, not the name of the festival', () => {
  const shown = html.slice(html.indexOf('<body')).replace(/<[^>]*>/g, '')
  expect(shown.trim()).toMatch(/^Welcome to Rheinklang!(&#847;&zwnj;&nbsp;)+\s+Rheinklang/)
})

it('a mail has the name as its logo, no picture, and a width that Outlook keeps', () => {
  expect(html).toMatch(/<td\s+bgcolor="#0e1b2c"[^>]*>\s*Rheinklang\s*<\/td>/)
  expect(html).toContain('<!--[if mso]><table role="presentation" width="560"')
  expect(html).not.toMatch(/<img|<link|src=|url\(/)
})

it('the plain text of a mail has the same words and no markup', () => {
  expect(text).toBe(
    [
      'Rheinklang',
      'Please confirm your email address',
      'Hello Lena & Co',
      ...letter.paragraphs,
      'Confirm address\nhttps://festival.example/verify-email?token=1',
      'You signed up.',
    ].join('\n\n'),
  )
})
