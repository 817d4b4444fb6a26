import { ownerKey } from './form-drafts.ts'

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
