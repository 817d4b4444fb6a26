import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { deleteDraftsOfOthers } from '../../kit/browser/form-drafts.ts'
import { ownPath } from '../../kit/shared/own-path.ts'
import { page } from '../../site-map.ts'
import { noteAccount, noteArrival } from './account-notes.ts'
import { getMe } from '../contract.ts'
import { currentSession } from './session.ts'

const patienceMs = 2500

/**
 * Where to go after a login: back to where one was, unless the account must have a second factor first. What else it has to
 * say stands in a line below the header, wherever one lands.
 */
export async function afterLogin(next: string | null, kind: 'user' | 'business'): Promise<string> {
  const where = ownPath(next) ?? (kind === 'business' ? page.dashboard : page.home)
  noteArrival()
  const asked = ask(callByFetch, getMe, { as: 'background' })
  // also when it comes too late to decide where to go
  void asked.then(({ answer }) => {
    if (!answer) return
    noteAccount(answer.body)
    // an answer may come when its owner has already gone
    if (answer.body.account_id && currentSession() !== 'guest') deleteDraftsOfOthers(answer.body.account_id)
  })
  const { answer } = await Promise.race([
    asked,
    new Promise<{ answer: null }>((resolve) => setTimeout(() => resolve({ answer: null }), patienceMs)),
  ])
  if (answer?.body.must_set_second_factor) return `${page.settings}#second-factor`
  return where
}
