import { browserStorage, tabStorage } from './storage.ts'

/** Values of a form by the names of its fields. */
export type FormValues = Record<string, string>

const keyOf = (form: string) => `typed:${form}`

/** The draft of a form in this tab; `{}` where there is none. */
export function readFormDraft(form: string): FormValues {
  try {
    return JSON.parse(tabStorage.get(keyOf(form)) ?? '{}') as FormValues
  } catch {
    return {}
  }
}

/** Stores the draft of a form until the tab is closed. */
export function storeFormDraft(form: string, values: FormValues): void {
  tabStorage.set(keyOf(form), JSON.stringify(values))
}

/** Local storage key: id of the account that used this browser last. */
export const ownerKey = keyOf('by')

/**
 * Deletes the drafts of everybody but `owner`, who has just logged in. Drafts of a guest stay: they were probably typed by
 * the same person before the login.
 */
export function deleteDraftsOfOthers(owner: string): void {
  const before = browserStorage.get(ownerKey)
  if (before !== null && before !== owner) deleteAllDrafts()
  browserStorage.set(ownerKey, owner)
}

export const deleteFormDraft = (form: string) => deleteItems((key) => key === keyOf(form))

/** At logout: deletes all drafts of forms and of the forum (`typed:…` too), and `ownerKey`. */
export const deleteAllDrafts = () => deleteItems((key) => key.startsWith(keyOf('')))

function deleteItems(isMeant: (key: string) => boolean): void {
  try {
    for (const storage of [sessionStorage, localStorage])
      for (const key of Object.keys(storage)) if (isMeant(key)) storage.removeItem(key)
  } catch {
    // storage is blocked: there are no drafts
  }
}
