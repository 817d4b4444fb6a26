import { currentSession, followSession, logOut } from '../../accounts/web/session-store.ts'
import { storeChosenLanguage } from '../../accounts/web/chosen-language.ts'
import { bringMenuAlive } from '../../kit/browser/ui/plain-menu.ts'
import './follow-theme.ts'

/** The only script of a plain page, inlined. Its header holds three account menus; this shows the one for this session. */
const accounts = document.querySelectorAll<HTMLElement>('[data-account]')

function showAccount() {
  const session = currentSession()
  for (const account of accounts) account.hidden = account.dataset['account'] !== session
}

showAccount()
followSession(showAccount)
for (const menu of document.querySelectorAll<HTMLElement>('[data-menu]')) bringMenuAlive(menu, () => void logOut())

// the form only sets a cookie: remember to tell the account too, whose mails are in its language
addEventListener('submit', ({ submitter }) => {
  if (submitter instanceof HTMLButtonElement && submitter.name === 'lang' && currentSession() !== 'guest')
    storeChosenLanguage(submitter.value)
})
