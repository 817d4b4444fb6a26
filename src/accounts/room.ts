import type { House, Room } from '../kit/server/room.ts'
import { page } from '../site-map.ts'
import {
  accountLimits,
  accountMails,
  deleteExpired,
  runNightlyAccountWork,
  sealSecretsAnew,
  type AccountRoom,
  type AccountSettings,
  type PersonalData,
  type NewsletterSetting,
} from './server/accounts.ts'
import { accountOperations } from './server/routes.ts'

declare module '../kit/server/access.ts' {
  interface Caller {
    accountId: string
    /** A merchant's business; null for everybody else. */
    businessId: string | null
    sessionId: string
  }
}
declare module '../kit/server/room.ts' {
  interface RoomSettings {
    accounts: AccountSettings
  }
  interface RoomQuestions {
    /** Personal data that the room stores, for the export and the deletion of an account. */
    personalData: PersonalData
    /** The newsletter switch in the settings of an account. */
    newsletter: NewsletterSetting
  }
}

export const accounts: Room<AccountRoom> = {
  name: 'accounts',
  looksInto: ['mail'],
  texts: ['accounts'],
  open: (house) => ({
    db: house.db,
    clock: house.clock,
    jobs: house.jobs,
    keyring: house.keyring,
    log: house.log,
    deletions: house.deletions,
    settings: house.settings.accounts,
    limits: accountLimits(house.limiter),
    // Getters: the rooms above open later.
    get personalData() {
      return house.answersTo('personalData')
    },
    get newsletter() {
      return house.answersTo('newsletter')[0] ?? null
    },
    texts: house.texts,
  }),
  operations: (own, { texts }) => accountOperations(own, texts),
  jobs,
  sealAnew: ({ db, keyring }) => sealSecretsAnew(db, keyring),
  privatePages: [page.settings],
  answers: (own) => ({ mails: accountMails(own) }),
}

function jobs(own: AccountRoom, { site }: House) {
  const { requireVerifiedEmail } = own.settings
  return {
    'forget-expired': { cron: '15 4 * * *', run: () => deleteExpired(own) },
    'delete-accounts': {
      cron: '20 4 * * *',
      run: () => runNightlyAccountWork(own, requireVerifiedEmail, site.origin),
    },
  }
}
