import type { Clock } from '../../kit/server/clock.ts'
import { asDate } from '../../kit/server/clock.ts'
import type { Complain } from '../../kit/server/complaints.ts'
import type { Database, Sql } from '../../kit/server/database.ts'
import { newId } from '../../kit/server/ids.ts'
import { inSteps } from '../../kit/server/in-steps.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import { MailRefused } from '../../kit/server/mail-faults.ts'
import type { Mailer } from '../../kit/server/mailer.ts'
import type { SecurityLog } from '../../kit/server/security-log.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { layOut, type Letter } from './layout.ts'
import * as store from './store.ts'

export { deleteMailsOf, deleteMailsTo, hasMail, linksWithMail, mailsOf } from './store.ts'

/** Its name is from before this room: instances of the last version share the queue during an upgrade. */
export const mailJob = 'account-mail'

export type QueuedMail = store.MailRow

/** A kind of mail, as the room declares it that sends it. Everything here may run again after a crash. */
export type MailKind =
  | {
      /**
       * Decided on only when its turn comes: whether an address has an account must not show in the time that an answer takes,
       * so the answer does the same work for all, and this becomes mails or nothing afterwards. Each is queued in one transaction.
       */
      becomes(mail: QueuedMail): Promise<((trx: Sql) => Promise<void>)[]>
    }
  | {
      /** Null: what it is about is gone, and nothing leaves any more. */
      compose(mail: QueuedMail): Promise<Letter | null>
      /** It has left, or its recipient was refused for good. */
      settled?(mail: QueuedMail): Promise<void>
    }

/** By their names, which are those of all rooms together. */
export type MailKinds = Record<string, MailKind>

export interface MailRoom {
  db: Database
  clock: Clock
  jobs: Jobs
  log: SecurityLog
  mailer: Mailer
  festivalName: string
  /** Says the same once in a while. */
  complain: Complain
  /** Of all rooms. */
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
}

/** Puts a mail on its way in the caller's transaction: it leaves exactly when the change was made. */
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
  await jobs.enqueue(db, mailJob, { mailId })
}

/** Sends a queued mail, once; a wish becomes the mails it comes to. Safe to run again after a crash. */
export async function sendQueuedMail(room: MailRoom, mailId: string): Promise<void> {
  const { db, mailer, log, festivalName, complain } = room
  const mail = await store.findMail(db, mailId)
  if (!mail) return
  const kind = Object.hasOwn(room.kinds, mail.kind) ? room.kinds[mail.kind]! : null
  // of a room that only a newer version has: an instance of that version will send it
  if (!kind) throw new Error(`No room knows mails of the kind ${mail.kind}.`)
  if ('becomes' in kind) {
    // looked up before the transaction begins: one that holds a connection and waits for another can wait for ever
    const mails = await kind.becomes(mail)
    await db.transaction().execute(async (trx) => {
      if (await store.deleteMail(trx, mailId)) for (const queue of mails) await queue(trx)
    })
    return
  }
  const letter = await kind.compose(mail)
  if (letter) {
    const { to, subject, unsubscribe } = letter
    const content = layOut(letter, { locale: mail.locale, festival: festivalName })
    let isOver = true
    const way = unsubscribe ? { unsubscribeUrl: unsubscribe.url } : {}
    try {
      await mailer.send({ to, subject, ...content, ...way, messageId: `<${mailId}@rheinklang>` })
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error
      const details = { mail: mail.kind, mail_id: mailId, code: error.code }
      log.note({ event: 'mail_refused', actor: mail.account_id, requestId: null, details })
      if (error.of === 'content') {
        isOver = false
        complain('A mail was dropped: the mail server refuses its content, or its sender. Look at MAIL_FROM.', {
          mail: mail.kind,
          code: error.code,
        })
      }
    }
    if (isOver) await kind.settled?.(mail)
  }
  await store.deleteMail(db, mailId)
}

const stepSize = 1000

/** Puts mails back into the queue that no job works for any more. Any number may run at once. */
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

/** Gives up mails that could not be sent for a week, and says which. Run daily. */
export async function giveUpMails({
  db,
  clock,
  complain,
}: Pick<MailRoom, 'db' | 'clock'> & { complain: Complain }): Promise<void> {
  const before = asDate(clock.now().subtract({ hours: unsentDays * 24 }))
  let given: Awaited<ReturnType<typeof store.deleteMailsBefore>>
  do {
    given = await store.deleteMailsBefore(db, before, givenUpAtOnce)
    for (const { mail_id, kind } of given)
      complain(`A mail that could not be sent for ${unsentDays} days has been given up.`, { mail_id, mail: kind })
  } while (given.length === givenUpAtOnce)
}
