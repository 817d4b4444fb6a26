import { describe, expect, it } from 'vitest'
import { mailFaultOf } from './mail-faults.ts'

const refused = (command: string, response: string) =>
  mailFaultOf({ code: command === 'DATA' ? 'EMESSAGE' : 'EENVELOPE', command, responseCode: 554, response })

describe('a refusal of the whole mail', () => {
  it.each([
    '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-CENTRAL-1',
    '550 The from address does not match a verified Sender Identity',
    '554 5.2.252 SendAsDenied; hello@rheinklang.example not allowed to send as hello@rheinklang.example',
    '550 5.7.60 SMTP; Client does not have permissions to send as this sender',
    '554 Sending paused for this account',
    '554 Your account has been suspended',
    '550 5.7.1 Unauthorized sender',
  ])('is a problem of every mail when it is about the sender: %s', (response) => {
    expect(refused('DATA', response)).toEqual({
      trouble: 'takes no mail from us (554). Look at SMTP_URL and MAIL_FROM.',
    })
  })
  it('is a problem of that mail only when it is about the content', () => {
    expect(refused('DATA', '554 5.7.1 Message looks like spam')).toEqual({ refusal: 554, of: 'content' })
  })
})

describe('a refusal of a recipient', () => {
  it('is a problem of that mail only, even if it mentions an address that is not verified', () => {
    expect(refused('RCPT TO', '554 This mailbox is not verified')).toEqual({ refusal: 554, of: 'recipient' })
  })
})
