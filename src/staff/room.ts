import type { Sql } from '../kit/server/database.ts'
import type { Room } from '../kit/server/room.ts'
import { forgetImportChanges } from './server/import-changes.ts'
import {
  entriesOf,
  forgetNameOf,
  forgetRequests,
  requestsOf,
  type Desk,
  type StaffRoom,
  type Undos,
} from './server/staff.ts'
import { page } from '../site-map.ts'
import { staffAlone } from './contract.ts'
import { staffOperations } from './server/routes.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** Undos of the room's staff actions, by action. */
    staffUndos: Undos
    /** Which of these entries can never be undone again, although their action has an undo. */
    finalEntries: (db: Sql, entryIds: string[]) => Promise<string[]>
    /** The room's pages for staff. */
    staffDesks: readonly Desk[]
  }
}

export const staff: Room<StaffRoom> = {
  name: 'staff',
  looksInto: ['accounts', 'mail'],
  open: (house) => ({
    db: house.db,
    clock: house.clock,
    zone: house.site.zone,
    undos: () => Object.assign({}, ...house.answersTo('staffUndos')),
    async finalEntries(entryIds) {
      const found = await Promise.all(house.answersTo('finalEntries').map((find) => find(house.db, entryIds)))
      return new Set(found.flat())
    },
    desks: () => house.answersTo('staffDesks').toReversed().flat(),
  }),
  operations: staffOperations,
  jobs: (own) => ({
    'forget-staff-requests': { cron: '50 4 * * *', run: () => forgetRequests(own) },
    'forget-import-changes': { cron: '50 4 * * *', run: () => forgetImportChanges(own) },
  }),
  privatePages: [page.admin],
  answers: () => ({
    staffDesks: [{ key: 'log', path: page.adminLog, roles: staffAlone.roles, open: null }],
    personalData: {
      exportOf: async (db, { accountId }) => ({
        audit_entries: await entriesOf(db, accountId),
        staff_requests: await requestsOf(db, accountId),
      }),
      hasContent: async () => false,
      // The log still names the staff who acted; the name of the account that they acted on goes.
      forget: (trx, { accountId }) => forgetNameOf(trx, 'account', [accountId]),
    },
  }),
}
