import { ask, type ApiCall } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { takeChosenLanguage } from './chosen-language.ts'
import type { AccountLanguage, changeMe } from '../contract.ts'

/** On every page, so it comes without the reader of the answer, which does not matter here. */
const tell: ApiCall<typeof changeMe, true> = { operation: 'PATCH /api/me', read: () => true }

/** A page that is about to be loaded again is not kept waiting longer, ms. */
const patienceMs = 2000

/** Saves the language chosen at the foot of a page in the account, for its mails. If that fails, it can be changed in the settings. */
export async function saveLanguage(language: string): Promise<void> {
  const told = ask(callByFetch, tell, { as: 'background', body: { language: language as AccountLanguage } })
  await Promise.race([told, new Promise((resolve) => setTimeout(resolve, patienceMs))]).catch(() => {})
}

/** Tells what was chosen on a page that makes no calls. */
export function saveChosenLanguage(): void {
  const chosen = takeChosenLanguage()
  if (chosen) void saveLanguage(chosen)
}
