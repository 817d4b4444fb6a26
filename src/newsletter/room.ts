import { mailsPerHalfHour } from '../accounts/contract.ts'
import type { Room } from '../kit/server/room.ts'
import { wishesPerHour } from './contract.ts'
import { newsletterPersonalData } from './server/personal-data.ts'
import { newsletterMails } from './server/mails.ts'
import { forgetUnconfirmed, settingOf, type NewsletterRoom } from './server/newsletter.ts'
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
      wishes: limiter({ name: 'newsletter-wish', points: wishesPerHour, durationS: 3600 }),
      mails: limiter({ name: 'mail-newsletter', points: mailsPerHalfHour, durationS: 1800 }),
    },
  }),
  operations: newsletterOperations,
  jobs: (own) => ({ 'forget-unconfirmed-readers': { cron: '25 4 * * *', run: () => forgetUnconfirmed(own) } }),
  answers: (own) => ({ personalData: newsletterPersonalData, newsletter: settingOf(own), mails: newsletterMails(own) }),
}
