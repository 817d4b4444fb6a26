import { tryCall } from '../../kit/browser/asking.ts'
import { ownPath } from '../../kit/browser/own-path.ts'
import { page } from '../../site-map.ts'
import type { getMe } from '../contract.ts'
import { noteAddress } from './unverified.ts'

const patienceMs = 2500

/**
 * Where to go after a login: back to where one was, unless the account itself needs a word first (it is about to be
 * deleted, or must have a second factor).
 */
export async function afterLogin(next: string | null, kind: 'user' | 'business'): Promise<string> {
  const where = ownPath(next) ?? (kind === 'business' ? page.dashboard : page.home)
  const asked = tryCall<typeof getMe>('GET /api/me', { as: 'background' })
  // also when it comes too late to decide where to go
  void asked.then(({ answer }) => answer && noteAddress(answer.body.email_verified))
  const { answer } = await Promise.race([
    asked,
    new Promise<{ answer: null }>((resolve) => setTimeout(() => resolve({ answer: null }), patienceMs)),
  ])
  // its banner is the first thing there
  if (answer?.body.deletion_at) return page.settings
  if (answer?.body.must_set_second_factor) return `${page.settings}#second-factor`
  return where
}
