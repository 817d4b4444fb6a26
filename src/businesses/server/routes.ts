import { countFailedSignup, fromOf } from '../../accounts/server/accounts.ts'
import { fairTurns } from '../../kit/server/fair-turns.ts'
import { knownCaller, operation, type Operation, type Texts } from '../../kit/server/serve-endpoint.ts'
import {
  getBusiness,
  getStats,
  getSubscription,
  listBusinesses,
  listLetters,
  mapBusinesses,
  searchBusinesses,
  signUpBusiness,
  viewBusiness,
} from '../contract.ts'
import { updateBusiness, uploadPicture } from '../contract/editing.ts'
import { importMerchants } from '../contract/importing.ts'
import * as businesses from './businesses.ts'
import * as editing from './editing.ts'
import * as importing from './importing.ts'
import * as pictures from './pictures.ts'
import * as signup from './signup.ts'

/** One at a time: each import holds a file of megabytes and what was read from it. */
const importsInTurn = fairTurns({ name: 'merchant imports', slots: 1, perAddress: 5, most: 10, patienceMs: 20_000 })

export function businessOperations(
  room: editing.ProfileRoom & businesses.BusinessFigures & signup.SignupRoom & importing.MerchantImports,
  texts: Texts,
): Operation[] {
  return [
    operation(
      signUpBusiness,
      async (input, asking) => {
        await signup.signUpBusiness(room, input, fromOf(asking))
        return { message: texts.say(asking.locale, 'accounts.signed_up') }
      },
      { refused: (asking, refusal) => countFailedSignup(room.accounts, asking.visitor?.address ?? '', refusal) },
    ),
    operation(getBusiness, ({ params }, { who }) => businesses.findBusiness(room, params.business_id, who)),
    operation(updateBusiness, ({ params, body }, asking) =>
      editing.updateBusiness(room, params.business_id, body, asking),
    ),
    operation(uploadPicture, ({ files }, asking) => pictures.uploadPicture(room, files['file'], asking)),
    operation(importMerchants, ({ body, files }, asking) =>
      importsInTurn(() => importing.importMerchants(room, asking, body, files['file'])),
    ),
    operation(getSubscription, ({ params }, asking) =>
      businesses.findSubscription(room, params.business_id, knownCaller(asking)),
    ),
    operation(getStats, ({ params }, asking) => businesses.findStats(room, params.business_id, knownCaller(asking))),
    operation(searchBusinesses, ({ query }) => businesses.searchBusinesses(room, query)),
    operation(mapBusinesses, ({ query }) => businesses.mapBusinesses(room, query), { exact: true }),
    operation(listBusinesses, ({ query }) => businesses.listBusinesses(room, query)),
    operation(listLetters, () => businesses.listLetters(room)),
    operation(viewBusiness, ({ params }, { visitor, who }) =>
      businesses.viewBusiness(room, params.business_id, visitor ?? { address: '', userAgent: '' }, who),
    ),
  ]
}
