import { ask, type ApiCall } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { takeChosenLanguage } from './chosen-language.ts'
import type { AccountLanguage, changeMe } from '../contract.ts'

/** By hand, without the contract's reader: this is on every page, and the answer does not matter. */
const saveCall: ApiCall<typeof changeMe, true> = { operation: 'PATCH /api/me', read: () => true }

/** The page waits no longer before it loads in the new language. */
const patienceMs = 2000

/** Saves the language chosen in the footer in the account, for its mails. Failures are ignored: the settings can change it. */
export async function saveLanguage(language: string): Promise<void> {
  const saved = ask(callByFetch, saveCall, { as: 'background', body: { language: language as AccountLanguage } })
  await Promise.race([saved, new Promise((resolve) => setTimeout(resolve, patienceMs))]).catch(() => {})
}

/** Saves a language that was chosen on a page that makes no calls. */
export function saveChosenLanguage(): void {
  const chosen = takeChosenLanguage()
  if (chosen) void saveLanguage(chosen)
}
