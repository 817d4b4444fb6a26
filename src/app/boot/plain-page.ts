import { currentSession, followSession, logOut } from '../../accounts/web/session-store.ts'
import { storeChosenLanguage } from '../../accounts/web/chosen-language.ts'
import { storedNeeded } from '../here-and-now/needed-note.ts'
import { bringMenuAlive } from '../../kit/browser/ui/plain-menu.ts'
import './follow-theme.ts'

/** The only script of a plain page, inlined. Its header holds three account menus; this shows the one for this session, and what its person needs now. */
const accounts = document.querySelectorAll<HTMLElement>('[data-account]')

function showAccount() {
  const session = currentSession()
  for (const account of accounts) account.hidden = account.dataset['account'] !== session
}

showAccount()
followSession(showAccount)

const strip = document.querySelector<HTMLElement>('[data-needed-note]')
const needed = storedNeeded()
if (strip && needed) {
  const className = strip.dataset['neededNote']
  strip.append(Object.assign(document.createElement('a'), { href: needed.href, textContent: needed.text, className }))
  strip.ariaLabel = needed.label
  strip.hidden = false
}
for (const menu of document.querySelectorAll<HTMLElement>('[data-menu]')) bringMenuAlive(menu, () => void logOut())

// the form only sets a cookie: remember to tell the account too, whose mails are in its language
addEventListener('submit', ({ submitter }) => {
  if (submitter instanceof HTMLButtonElement && submitter.name === 'lang' && currentSession() !== 'guest')
    storeChosenLanguage(submitter.value)
})
