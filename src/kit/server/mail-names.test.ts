import { expect, it } from 'vitest'
import { nameInMail } from './mail-names.ts'

it.each([
  ['https://evil.example/login', 'https: evil. example/login'],
  ['HTTP:\\\\evil.example', 'HTTP: evil. example'],
  ['www.evil.example', 'www. evil. example'],
  ['You won! evil.com', 'You won! evil. com'],
  ['xn--mller-kva.ch', 'xn--mller-kva. ch'],
  ['müller.ch', 'müller. ch'],
  ['пример.рф', 'пример. рф'],
  ['evil。com', 'evil。 com'],
  ['evil．com', 'evil． com'],
  ['evil․com', 'evil․ com'],
  ['ev\u00adil\u200b.\u2060com', 'evil. com'],
  ['evil.\u200dcom', 'evil. \u200dcom'],
  ['\u202emoc.live', 'moc. live'],
  ['🎷.ws', '🎷. ws'],
  ['1and1.com', '1and1. com'],
  ['lena@example.org', 'lena@example. org'],
  ['192.168.1.77:8080', '192. 168. 1. 77:8080'],
  ['\\\\server\\share', '\\server\\share'],
])('%j, which mail programs would link, becomes %j', (name, shown) => {
  expect(nameInMail(name)).toBe(shown)
})

it.each([
  'Lena',
  'Café Rhein',
  'St. Alban',
  'Bar 2.0',
  'Bar/Grill: Nord',
  'Léa & "Co"',
  '<b>Léa</b>',
  'Wait ...',
  '👩‍🍳',
])('%j stays unchanged', (name) => {
  expect(nameInMail(name)).toBe(name)
})
