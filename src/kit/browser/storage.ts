/** A storage of the browser that may be blocked or full: reading then gives null, and nothing is stored. */
const forgiving = (storage: () => Storage) => ({
  get(name: string): string | null {
    try {
      return storage().getItem(name)
    } catch {
      return null
    }
  },
  /** null removes the item. */
  set(name: string, text: string | null): void {
    try {
      if (text === null) storage().removeItem(name)
      else storage().setItem(name, text)
    } catch {
      // each caller works without
    }
  },
})

/** Shared by all tabs. */
export const browserStorage = forgiving(() => localStorage)
/** Lives as long as the tab. */
export const tabStorage = forgiving(() => sessionStorage)
