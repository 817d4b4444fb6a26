/** What was typed into a form, by the names of its fields. */
export type KeptFields = Record<string, string>

/** In the storage of this tab alone, which goes when it is closed. */
const keyOf = (form: string) => `typed:${form}`

export function keptFields(form: string): KeptFields {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(form)) ?? '{}') as KeptFields
  } catch {
    return {}
  }
}

export function keepFields(form: string, fields: KeptFields): void {
  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify(fields))
  } catch {
    // storage is shut or full: then the form forgets, as forms do
  }
}

const ownerKey = keyOf('by')

/**
 * Whoever uses the browser from now on is `owner`: what another has typed goes. What nobody owned stays, as what was typed before
 * anybody was known.
 */
export function forgetFieldsOfOthers(owner: string): void {
  try {
    const before = localStorage.getItem(ownerKey)
    if (before !== null && before !== owner) forgetFields()
    localStorage.setItem(ownerKey, owner)
  } catch {
    // storage is shut: nothing was kept
  }
}

/** Calls `tell` when another person than the one known here first uses the browser, in another tab. */
export function onOtherOwner(tell: () => void): void {
  let known = stored()
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== ownerKey || newValue === null) return
    if (known !== null && known !== newValue) tell()
    known ??= newValue
  })
}

function stored(): string | null {
  try {
    return localStorage.getItem(ownerKey)
  } catch {
    return null
  }
}

/** Once it was sent; without a name every form and every longer draft (`typed:…` too), when somebody leaves who typed into them. */
export function forgetFields(form?: string): void {
  try {
    const isMeant = (key: string) => (form === undefined ? key.startsWith(keyOf('')) : key === keyOf(form))
    for (const storage of [sessionStorage, localStorage])
      for (const key of Object.keys(storage)) if (isMeant(key)) storage.removeItem(key)
  } catch {
    // storage is shut: nothing was kept
  }
}
