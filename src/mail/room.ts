import { onceInAWhile } from '../kit/server/complaints.ts'
import type { Room } from '../kit/server/room.ts'
import { giveUpMails, mailJob, requeueMails, sendQueuedMail, type MailKinds, type MailRoom } from './server/mail.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** The kinds of mail that the room sends: how each is composed, and what runs after it was sent. */
    mails: MailKinds
  }
}

/** Outgoing mails: queued in the transaction of the change, then retried until the mail server takes them. */
export const mail: Room<MailRoom> = {
  name: 'mail',
  looksInto: [],
  open: (house) => ({
    db: house.db,
    clock: house.clock,
    jobs: house.jobs,
    log: house.log,
    mailer: house.mailer,
    festivalName: house.site.name,
    complain: onceInAWhile(house.complain),
    // A getter, because the rooms that declare kinds open after this one.
    get kinds() {
      return Object.assign({}, ...house.answersTo('mails')) as MailKinds
    },
  }),
  jobs: (own, { complain }) => ({
    [mailJob]: { untilDone: true, run: (job) => sendQueuedMail(own, String(job['mailId'])) },
    'give-up-mails': { cron: '10 4 * * *', run: () => giveUpMails({ ...own, complain }) },
  }),
  mailQueues: [mailJob],
  requeue: requeueMails,
}
