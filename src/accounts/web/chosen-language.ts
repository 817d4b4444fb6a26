const key = 'chosenLanguage'

/** Notes what was chosen on a page that makes no calls, so that the next one that does tells the account. */
export function storeChosenLanguage(language: string): void {
  try {
    sessionStorage.setItem(key, language)
  } catch {
    // the account keeps its language, which can be changed in the settings
  }
}

/** What was noted, once; null: nothing. */
export function takeChosenLanguage(): string | null {
  try {
    const chosen = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return chosen
  } catch {
    return null
  }
}
