/** What was typed into a form, by the names of its fields. */
export type FormValues = Record<string, string>

/** In the storage of this tab alone, which goes when it is closed. */
const keyOf = (form: string) => `typed:${form}`

export function readFormDraft(form: string): FormValues {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(form)) ?? '{}') as FormValues
  } catch {
    return {}
  }
}

export function storeFormDraft(form: string, fields: FormValues): void {
  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify(fields))
  } catch {
    // storage is shut or full: then the form forgets, as forms do
  }
}

export const ownerKey = keyOf('by')

/**
 * Whoever uses the browser from now on is `owner`: what another has typed goes. What nobody owned stays, as what was typed before
 * anybody was known.
 */
export function deleteDraftsOfOthers(owner: string): void {
  try {
    const before = localStorage.getItem(ownerKey)
    if (before !== null && before !== owner) deleteFormDraft()
    localStorage.setItem(ownerKey, owner)
  } catch {
    // storage is shut: nothing was kept
  }
}

/** Once it was sent; without a name every form and every longer draft (`typed:…` too), when somebody leaves who typed into them. */
export function deleteFormDraft(form?: string): void {
  try {
    const isMeant = (key: string) => (form === undefined ? key.startsWith(keyOf('')) : key === keyOf(form))
    for (const storage of [sessionStorage, localStorage])
      for (const key of Object.keys(storage)) if (isMeant(key)) storage.removeItem(key)
  } catch {
    // storage is shut: nothing was kept
  }
}
