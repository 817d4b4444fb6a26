import { ownerKey } from './form-drafts.ts'

/** Calls `callback` when another person logs in in another tab of this browser. */
export function onOtherOwner(callback: () => void): void {
  let known = storedOwner()
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== ownerKey || newValue === null) return
    if (known !== null && known !== newValue) callback()
    known ??= newValue
  })
}

function storedOwner(): string | null {
  try {
    return localStorage.getItem(ownerKey)
  } catch {
    return null
  }
}
