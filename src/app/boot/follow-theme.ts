/** Written to local storage for a moment, only to notify other tabs. The choice itself is stored in a cookie. */
const key = 'theme'

// the footer's form, whether the browser or the app sends it
addEventListener('submit', ({ submitter }) => {
  if (!(submitter instanceof HTMLButtonElement) || submitter.name !== 'theme') return
  try {
    localStorage.setItem(key, submitter.value)
    localStorage.removeItem(key)
  } catch {
    // storage is blocked: other tabs change with their next page
  }
})

/*
 * Shows a theme that was chosen in another tab. A language changes with the next page only: everything would be drawn again, and
 * typed text would be lost. Without React, so that plain pages follow too; the app does not touch these elements until the
 * next document.
 */
addEventListener('storage', ({ key: changed, newValue }) => {
  if (changed !== key || (newValue !== 'auto' && newValue !== 'paper' && newValue !== 'river')) return
  const root = document.documentElement
  if (newValue === 'auto') delete root.dataset['theme']
  else root.dataset['theme'] = newValue
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[name="theme"]'))
    button.setAttribute('aria-pressed', String(button.value === newValue))
  const { backgroundColor } = getComputedStyle(root)
  for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
    meta.setAttribute('content', backgroundColor)
})

export {}
