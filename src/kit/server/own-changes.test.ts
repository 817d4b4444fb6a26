import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Keyring } from './keyring.ts'
import { ownChanges } from './own-changes.ts'

const mac = (purpose: string, text: string) => createHmac('sha256', purpose).update(text).digest()
const keyring = { mac, macs: (purpose, text) => [mac(purpose, text)] } as Keyring
const at = (time: string, isSecure = false) =>
  ownChanges({ keyring, clock: { now: () => Temporal.Instant.from(`2026-06-20T17:30:${time}Z`) }, isSecure })
const markOf = (cookie: string) => cookie.split(';', 1)[0]!

it('who has changed something is known at an instance whose clock is a second behind or ahead, and for six seconds', () => {
  const mark = markOf(at('10.900').cookie())
  for (const time of ['09.900', '10.900', '11.900', '16.000']) expect(at(time).isRecent(mark), time).toBe(true)
  for (const time of ['07.000', '18.000']) expect(at(time).isRecent(mark), time).toBe(false)
})

it('the mark is sent over https alone where the site has it', () => {
  expect(at('10', true).cookie()).toMatch(/; Secure$/)
  expect(at('10').cookie()).not.toContain('Secure')
})
