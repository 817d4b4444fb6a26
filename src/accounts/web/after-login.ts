import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { deleteDraftsOfOthers } from '../../kit/browser/form-drafts.ts'
import { ownPath } from '../../kit/shared/own-path.ts'
import { page } from '../../site-map.ts'
import { noteAccount, noteArrival } from './account-notes.ts'
import { getMe } from '../contract.ts'
import { currentSession } from './session.ts'

const patienceMs = 2500

/**
 * The page after a login: where the person came from, unless the account must set up two-factor authentication first. Other notes
 * appear below the header of any page.
 */
export async function afterLogin(next: string | null, kind: 'user' | 'business'): Promise<string> {
  const where = ownPath(next) ?? (kind === 'business' ? page.dashboard : page.home)
  noteArrival()
  const asked = ask(callByFetch, getMe, { as: 'background' })
  // Also if the answer comes too late for the choice of the page.
  void asked.then(({ answer }) => {
    if (!answer) return
    noteAccount(answer.body)
    // The answer may come after a logout.
    if (answer.body.account_id && currentSession() !== 'guest') deleteDraftsOfOthers(answer.body.account_id)
  })
  const { answer } = await Promise.race([
    asked,
    new Promise<{ answer: null }>((resolve) => setTimeout(() => resolve({ answer: null }), patienceMs)),
  ])
  if (answer?.body.must_set_second_factor) return `${page.settings}#second-factor`
  return where
}
