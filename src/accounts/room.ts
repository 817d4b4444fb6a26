import type { House, Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import {
  accountLimits,
  accountMailJob,
  askToConfirm,
  canonicaliseAddresses,
  deleteUnverified,
  executeDeletions,
  forgetExpired,
  requeueMails,
  sendQueuedMail,
  type AccountRoom,
  type AccountSettings,
  type Keeper,
} from './server/accounts.ts'
import { accountOperations } from './server/routes.ts'

declare module '../kit/server/room.ts' {
  interface RoomSettings {
    accounts: AccountSettings
  }
  interface RoomQuestions {
    /** What the room keeps of a person, for the export and for the deletion of an account. */
    personalData: Keeper
  }
}

export const accounts: Room<AccountRoom> = {
  name: 'accounts',
  looksInto: [],
  open: (house) => ({
    db: house.db,
    clock: house.clock,
    jobs: house.jobs,
    keyring: house.keyring,
    log: house.log,
    deletions: house.deletions,
    settings: house.settings.accounts,
    limits: accountLimits(house.limiter),
    // the rooms above open later
    get keepers() {
      return house.answersTo('personalData')
    },
  }),
  operations: (own, { texts }) => accountOperations(own, texts),
  jobs,
  prepare: ({ db }) => canonicaliseAddresses(db),
  mailQueues: [accountMailJob],
  requeue: requeueMails,
  privatePages: [page.settings],
}

function jobs(own: AccountRoom, { mailer, texts, site, complain }: House) {
  const { requireVerifiedEmail } = own.settings
  return {
    [accountMailJob]: {
      lookEveryS: 0.5,
      untilDone: true,
      run: (job: Record<string, unknown>) =>
        sendQueuedMail({ ...own, mailer, texts, festivalName: site.name, requireVerifiedEmail }, String(job['mailId'])),
    },
    'forget-expired': { cron: '15 4 * * *', run: () => forgetExpired({ ...own, complain }) },
    'delete-accounts': {
      cron: '20 4 * * *',
      run: async () => {
        await executeDeletions(own)
        await deleteUnverified(own, requireVerifiedEmail)
        await askToConfirm(own, requireVerifiedEmail, site.origin)
      },
    },
  }
}
