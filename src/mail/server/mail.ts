import { asDate } from '../../kit/server/clock.ts'
import type { Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import { MailRefused } from '../../kit/server/mail-faults.ts'
import type { House } from '../../kit/server/room.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { layOut, type Letter } from './layout.ts'
import * as store from './store.ts'

/** The only server module of this room that other rooms may import. */
export { deleteMailsOf, deleteMailsTo, hasMail, hasMailTo, linksWithMail, mailsOf } from './store.ts'
export type { Letter } from './layout.ts'

/** Do not rename the queue: during an upgrade, instances of the old and the new version share it. */
export const mailJob = 'account-mail'

export type QueuedMail = store.MailRow

/** A kind of mail, declared by the room that sends it. All its functions may run again after a crash. */
export type MailKind =
  | {
      /**
       * Returns a function per mail to queue instead of this one; all run in one transaction. An empty list: no mail. Looked up in
       * the job, not in the request, so that response times do not reveal accounts.
       */
      expand(mail: QueuedMail): Promise<((trx: Sql) => Promise<void>)[]>
    }
  | {
      /** Null: the account, link or subscriber is gone, and no mail is sent. */
      compose(mail: QueuedMail): Promise<Letter | null>
      /** Runs after the mail was sent, or the mail server refused its recipient for good. */
      settled?(mail: QueuedMail): Promise<void>
    }

/** Kinds by their name. Two rooms may not use the same name. */
export type MailKinds = Record<string, MailKind>

/** `complain` repeats the same complaint only once in a while. */
export interface MailRoom extends Pick<House, 'db' | 'clock' | 'jobs' | 'log' | 'mailer' | 'complain'> {
  festivalName: string
  /** The kinds that all rooms declare. */
  kinds: MailKinds
}

export interface MailToQueue {
  kind: string
  locale: string
  origin: string
  accountId?: string
  subscriberId?: string
  linkId?: string
  email?: string
  data?: Record<string, string>
  /** Seconds before it may be sent. */
  afterS?: number
}

/** Queues a mail in the caller's transaction: a change that is rolled back sends none. */
export async function queueMail(
  { clock, jobs }: Pick<MailRoom, 'clock' | 'jobs'>,
  db: Sql,
  mail: MailToQueue,
): Promise<void> {
  const mailId = newId()
  await store.insertMail(db, {
    mail_id: mailId,
    kind: mail.kind,
    account_id: mail.accountId ?? null,
    subscriber_id: mail.subscriberId ?? null,
    link_id: mail.linkId ?? null,
    email: mail.email ?? null,
    email_folded: mail.email && !mail.accountId ? foldEmail(mail.email) : null,
    data: mail.data ?? {},
    locale: mail.locale,
    origin: mail.origin,
    created_at: asDate(clock.now()),
  })
  await jobs.enqueue(db, mailJob, { mailId }, mail.afterS)
}

/**
 * Sends a queued mail, or queues the mails it expands to. Safe to run again: a crash between sending and deleting sends the mail twice,
 * with the same Message-ID.
 */
export async function sendQueuedMail(room: MailRoom, mailId: string): Promise<void> {
  const { db, mailer, log, festivalName, complain } = room
  const mail = await store.findMail(db, mailId)
  if (!mail) return
  const kind = Object.hasOwn(room.kinds, mail.kind) ? room.kinds[mail.kind]! : null
  // The mail may come from a newer version: fail, so that the job is retried until an instance of that version takes it.
  if (!kind) throw new Error(`No room knows mails of the kind ${mail.kind}.`)
  if ('expand' in kind) {
    // Outside the transaction: `expand` needs a connection too, and holding one while waiting for another can deadlock the pool.
    const mails = await kind.expand(mail)
    await db.transaction().execute(async (trx) => {
      if (await store.deleteMail(trx, mailId)) for (const queue of mails) await queue(trx)
    })
    return
  }
  const letter = await kind.compose(mail)
  if (letter) {
    const { to, subject, unsubscribe } = letter
    const content = layOut(letter, { locale: mail.locale, festival: festivalName })
    let isSettled = true
    const unsubscribing = unsubscribe ? { unsubscribeUrl: unsubscribe.url } : {}
    try {
      await mailer.send({ to, subject, ...content, ...unsubscribing, messageId: `<${mailId}@rheinklang>` })
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error
      const details = { mail: mail.kind, mail_id: mailId, code: error.code }
      log.note({ event: 'mail_refused', actor: mail.account_id, requestId: null, details })
      if (error.of === 'content') {
        isSettled = false
        complain('A mail was dropped: the mail server refuses its content, or its sender. Look at MAIL_FROM.', {
          mail: mail.kind,
          code: error.code,
        })
      }
    }
    if (isSettled) await kind.settled?.(mail)
  }
  await store.deleteMail(db, mailId)
}

const stepSize = 1000

/** Enqueues a job for each mail that has none. Several instances may run this at once. */
export const requeueMails = ({ db, jobs }: Pick<MailRoom, 'db' | 'jobs'>) =>
  inSteps(stepSize, ({ after, limit }) =>
    db.transaction().execute(async (trx) => {
      const ids = await store.waitingMails(trx, after, limit)
      await jobs.enqueueMissing(trx, mailJob, 'mailId', ids)
      return ids
    }),
  )

const unsentDays = 7
const givenUpAtOnce = 100

/** Deletes mails that could not be sent for a week, with a complaint for each. Run daily. */
export async function giveUpMails({ db, clock, complain }: Pick<MailRoom, 'db' | 'clock' | 'complain'>): Promise<void> {
  const before = asDate(clock.now().subtract({ hours: unsentDays * 24 }))
  let givenUp: Awaited<ReturnType<typeof store.deleteMailsBefore>>
  do {
    givenUp = await store.deleteMailsBefore(db, before, givenUpAtOnce)
    for (const { mail_id, kind } of givenUp)
      complain(`A mail that could not be sent for ${unsentDays} days has been given up.`, { mail_id, mail: kind })
  } while (givenUp.length === givenUpAtOnce)
}
