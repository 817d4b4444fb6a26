/** "Deutsch, Englisch" in the reader's language; an unknown code stays as it is. */
export function languageNames(locale: string, codes: string[]): string {
  const names = new Intl.DisplayNames([locale], { type: 'language' })
  return codes
    .map((code) => {
      try {
        return names.of(code) ?? code
      } catch {
        return code
      }
    })
    .join(', ')
}
