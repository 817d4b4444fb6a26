import { onceInAWhile } from '../kit/server/complaints.ts'
import type { Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import { messagesPerHour } from './contract.ts'
import { deleteOldMessages, mailJob, mailMessage, requeueMessages, type ContactRoom } from './server/contact.ts'
import { contactPersonalData } from './server/personal-data.ts'
import { contactOperations } from './server/routes.ts'

declare module '../kit/server/room.ts' {
  interface RoomSettings {
    contact: {
      /** Email address that gets the messages. */
      operator: string
    }
  }
}

export const contact: Room<ContactRoom> = {
  name: 'contact',
  looksInto: ['accounts'],
  open: ({ db, clock, jobs, keyring, limiter }) => ({
    db,
    clock,
    jobs,
    keyring,
    limiter: limiter({ name: 'contact', points: messagesPerHour, durationS: 3600 }),
  }),
  operations: contactOperations,
  jobs(own, { mailer, settings, complain }) {
    const sending = { ...own, mailer, operator: settings.contact.operator, complain: onceInAWhile(complain) }
    return {
      [mailJob]: { untilDone: true, run: (job) => mailMessage(sending, String(job['messageId'])) },
      'forget-messages': { cron: '40 4 * * *', run: () => deleteOldMessages({ ...own, complain }) },
    }
  },
  mailQueues: [mailJob],
  requeue: requeueMessages,
  sitemap: () => ({ pages: [{ path: page.contact }] }),
  answers: () => ({ personalData: contactPersonalData }),
}
