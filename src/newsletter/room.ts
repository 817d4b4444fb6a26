import { mailsPerHalfHour } from '../accounts/contract.ts'
import type { Room } from '../kit/server/room.ts'
import { requestsPerHour } from './contract.ts'
import { newsletterPersonalData } from './server/personal-data.ts'
import { newsletterMails } from './server/mails.ts'
import { deleteUnconfirmed, settingOf, type NewsletterRoom } from './server/newsletter.ts'
import { newsletterOperations } from './server/routes.ts'

export const newsletter: Room<NewsletterRoom> = {
  name: 'newsletter',
  looksInto: ['accounts', 'mail'],
  open: ({ db, clock, jobs, keyring, texts, site, limiter }) => ({
    db,
    clock,
    jobs,
    keyring,
    texts,
    festivalName: site.name,
    limits: {
      requests: limiter({ name: 'newsletter-wish', points: requestsPerHour, durationS: 3600 }),
      mails: limiter({ name: 'mail-newsletter', points: mailsPerHalfHour, durationS: 1800 }),
    },
  }),
  operations: newsletterOperations,
  jobs: (own) => ({ 'forget-unconfirmed-readers': { cron: '25 4 * * *', run: () => deleteUnconfirmed(own) } }),
  answers: (own) => ({ personalData: newsletterPersonalData, newsletter: settingOf(own), mails: newsletterMails(own) }),
}
