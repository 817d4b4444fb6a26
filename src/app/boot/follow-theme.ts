/** In local storage for a moment, so that other tabs hear of it: what is chosen is kept in a cookie. */
const key = 'theme'

// in the form of the footer, which the browser sends itself or the app does
addEventListener('submit', ({ submitter }) => {
  if (!(submitter instanceof HTMLButtonElement) || submitter.name !== 'theme') return
  try {
    localStorage.setItem(key, submitter.value)
    localStorage.removeItem(key)
  } catch {
    // storage is shut: other tabs follow with their next page
  }
})

/*
 * Another tab has chosen a theme: this one shows it at once. Its language stays until its next page, as everything would have to
 * be drawn anew, and what is typed would go. By hand, so that pages without the app follow too; the app changes none of this
 * until a whole new document comes.
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
