import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, it, onTestFinished } from 'vitest'
import { createMailer } from './mailer.ts'

it.each([
  ['Rheinklang: Basel', 'Rheinklang: Basel <hello@example.ch>'],
  ['Rheinklang [Basel]', 'Rheinklang [Basel] <hello@example.ch>'],
  ['Rheinklang (Basel)', 'Rheinklang (Basel) <hello@example.ch>'],
  ['Rheinklang; Basel', 'Rheinklang; Basel <hello@example.ch>'],
  ['Rheinklang, Basel', 'Rheinklang, Basel <hello@example.ch>'],
  ['Klang "am" Rhein', '"Klang \\"am\\" Rhein" <hello@example.ch>'],
  ['Fête à Bâle: été', 'Fête à Bâle: été <hello@example.ch>'],
  ['', '<hello@example.ch>'],
  ['', 'hello@example.ch'],
])('a sender or recipient named %j stays one mailbox with that name: %s', async (name, from) => {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-mailer-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const mailer = createMailer({ smtpUrl: null, from, folder, complain: () => {} })
  await mailer.send({ to: from, subject: 'Hello', text: 'Hello', messageId: '<1@rheinklang>' })
  const file = readdirSync(folder).find((each) => each.endsWith('.eml'))!
  const mail = await PostalMime.parse(readFileSync(join(folder, file)))
  expect(mail.from).toEqual({ name, address: 'hello@example.ch' })
  expect(mail.to).toEqual([{ name, address: 'hello@example.ch' }])
})
