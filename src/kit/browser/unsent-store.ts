/** In local storage: how many changes each room has made here that the server has not been told; see unsent.ts. */
export const unsentKey = 'unsent'

export function storedUnsent(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(unsentKey) ?? 'null')
    // anything may be stored under this name: a text has keys too, one a letter
    return Object(stored) === stored ? (stored as Record<string, number>) : {}
  } catch {
    return {}
  }
}

/** Under this name they belong to the device, whoever uses it, and stay. */
export const ofDevice = 'till'

/** With what rooms keep beside the counts, under names that begin alike. */
export function forgetUnsent(): void {
  try {
    const { [ofDevice]: stays } = storedUnsent()
    for (const key of Object.keys(localStorage)) if (key.startsWith(unsentKey)) localStorage.removeItem(key)
    if (stays) localStorage.setItem(unsentKey, JSON.stringify({ [ofDevice]: stays }))
  } catch {
    // storage is shut: nothing was kept
  }
}
