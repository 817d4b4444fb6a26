import { onceInAWhile } from '../kit/server/complaints.ts'
import type { Room } from '../kit/server/room.ts'
import { giveUpMails, mailJob, requeueMails, sendQueuedMail, type MailKinds, type MailRoom } from './server/mail.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** The mails that the room sends: how each is composed, and what happens once it has left. */
    mails: MailKinds
  }
}

/** The outbox: mails leave exactly when the change they tell of was made, and are tried until they do. */
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
    // the rooms above open later
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
