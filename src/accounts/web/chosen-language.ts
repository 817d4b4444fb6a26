const key = 'chosenLanguage'

/** Stores the language chosen on a page that makes no calls; the next page that does saves it in the account. */
export function storeChosenLanguage(language: string): void {
  try {
    sessionStorage.setItem(key, language)
  } catch {
    // Storage is blocked: the account's language can be changed in the settings.
  }
}

/** Reads the stored language once; null: none. */
export function takeChosenLanguage(): string | null {
  try {
    const chosen = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return chosen
  } catch {
    return null
  }
}
