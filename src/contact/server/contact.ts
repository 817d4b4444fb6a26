import { hash, randomInt } from 'node:crypto'
import { addressKey } from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Limiter } from '../../kit/server/limiter.ts'
import { MailNotSent, MailRefused } from '../../kit/server/mail-faults.ts'
import { nameInMail } from '../../kit/server/mail-names.ts'
import { newId } from '../../kit/server/ids.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import type { House } from '../../kit/server/room.ts'
import type { CheckedInput } from '../../kit/shared/endpoint.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { tooManyUntil } from '../../kit/shared/refusal.ts'
import { sameTicketHours, type sendMessage as sendMessageEndpoint } from '../contract.ts'
import * as store from './store.ts'

export interface ContactRoom extends Pick<House, 'db' | 'clock' | 'jobs' | 'keyring'> {
  /** Messages per address and hour. */
  limiter: Limiter
}

export const mailJob = 'contact-mail'

type Message = CheckedInput<typeof sendMessageEndpoint>['body']

/**
 * Stores the message and queues a mail to the operator, in one transaction. A retry with the same key (the answer got lost, or
 * was a 503 although the message was stored) gets the ticket of the first time. @throws `too_many_requests`
 */
export async function sendMessage(
  { db, clock, jobs, limiter, keyring }: ContactRoom,
  message: Message,
  from: { address: string; locale: string; accountId: string | null },
): Promise<{ ticket: string }> {
  const waitS = await limiter.take(addressKey(keyring, from.address))
  if (waitS > 0) throw tooManyUntil(waitS)
  const sentAs = sentAsOf(message)
  const now = clock.now()
  const ticket = await db.transaction().execute(async (trx) => {
    if (sentAs) await store.expireKey(trx, sentAs, asDate(now.subtract({ hours: sameTicketHours })))
    const messageId = newId()
    const stored = await store.insertMessage(trx, {
      message_id: messageId,
      ticket: newTicket(),
      name: message.name.trim(),
      email: message.email.trim(),
      email_folded: foldEmail(message.email),
      account_id: from.accountId,
      topic: message.topic,
      message: message.message,
      locale: from.locale,
      created_at: asDate(now),
      sent_as: sentAs,
    })
    if (stored.isNew) await jobs.enqueue(trx, mailJob, { messageId })
    return stored.ticket
  })
  return { ticket }
}

/**
 * Hash of key and content. A form that was corrected before the retry is thus a new message, and two people with the same key
 * do not get each other's ticket.
 */
function sentAsOf({ idempotency_key: key, ...content }: Message): Buffer | null {
  if (key === undefined) return null
  const { name, email, topic, message } = content
  return hash('sha256', JSON.stringify([key, name, email, topic, message]), 'buffer')
}

/**
 * Mails a stored message to the operator, once. Nobody reads it anywhere else, so a refusal by the mail server does not drop it:
 * it is reported, and the mail is retried. @throws `MailNotSent`
 */
export async function mailMessage(
  { db, clock, mailer, operator, complain }: Pick<House, 'db' | 'clock' | 'mailer' | 'complain'> & { operator: string },
  messageId: string,
): Promise<void> {
  const message = await store.messageToMail(db, messageId)
  if (!message) return
  const name = nameInMail(message.name)
  const mail = {
    to: operator,
    replyTo: { name, address: message.email },
    subject: `[${message.ticket}] ${message.topic}: message from ${name}`,
    text: `${message.message}\n\n--\n${name} <${message.email}>, writes in "${message.locale}"\nTicket ${message.ticket}, ${message.created_at.toISOString()}\n`,
    messageId: `<contact-${messageId}@rheinklang>`,
  }
  try {
    await mailer.send(mail)
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    complain('A contact message waits: the mail server refuses it for MAIL_FROM.', {
      ticket: message.ticket,
      code: error.code,
    })
    throw new MailNotSent(error.message)
  }
  await store.markMailed(db, messageId, asDate(clock.now()))
}

const stepSize = 1000

/** Enqueues a job for each unmailed message that has none. Several instances may run this at once. */
export const requeueMessages = ({ db, jobs }: Pick<ContactRoom, 'db' | 'jobs'>) =>
  inSteps(stepSize, ({ after, limit }) =>
    db.transaction().execute(async (trx) => {
      const ids = await store.unmailedMessages(trx, after, limit)
      await jobs.enqueueMissing(trx, mailJob, 'messageId', ids)
      return ids
    }),
  )

/** The privacy page promises it. */
const retentionDays = 365

/** Deletes old messages, with a complaint for each that was never mailed. Run daily. */
export async function deleteOldMessages({
  db,
  clock,
  complain,
}: Pick<House, 'db' | 'clock' | 'complain'>): Promise<void> {
  const before = asDate(clock.now().subtract({ hours: retentionDays * 24 }))
  let deleted: Awaited<ReturnType<typeof store.deleteMessagesBefore>>
  do {
    deleted = await store.deleteMessagesBefore(db, before, stepSize)
    for (const { ticket, mailed_at } of deleted)
      if (!mailed_at)
        complain(`A contact message that was never mailed has been deleted after ${retentionDays} days.`, { ticket })
  } while (deleted.length === stepSize)
}

/** e.g. RK-7F3K-29QD, without characters that look or sound alike when read out on the phone. */
function newTicket(): string {
  const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
  const letters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `RK-${letters.slice(0, 4)}-${letters.slice(4)}`
}
