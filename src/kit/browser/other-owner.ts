import { ownerKey } from './form-drafts.ts'
import { browserStorage } from './storage.ts'

/** Calls `callback` when another person logs in in another tab of this browser. */
export function onOtherOwner(callback: () => void): void {
  let known = browserStorage.get(ownerKey)
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== ownerKey || newValue === null) return
    if (known !== null && known !== newValue) callback()
    known ??= newValue
  })
}
