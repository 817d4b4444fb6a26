import { currentSession, followSession, logOut } from '../../accounts/web/session-store.ts'
import { storeChosenLanguage } from '../../accounts/web/chosen-language.ts'
import { bringMenuAlive } from '../../kit/browser/ui/plain-menu.ts'
import './follow-theme.ts'

/** All the script of a plain page, written into it: of the header's three accounts it shows the one that is logged in. */
const accounts = document.querySelectorAll<HTMLElement>('[data-account]')

function showAccount() {
  const session = currentSession()
  for (const account of accounts) account.hidden = account.dataset['account'] !== session
}

showAccount()
followSession(showAccount)
for (const menu of document.querySelectorAll<HTMLElement>('[data-menu]')) bringMenuAlive(menu, () => void logOut())

// the form is the browser's own, and says nothing to the account, whose mails are in its language
addEventListener('submit', ({ submitter }) => {
  if (submitter instanceof HTMLButtonElement && submitter.name === 'lang' && currentSession() !== 'guest')
    storeChosenLanguage(submitter.value)
})
