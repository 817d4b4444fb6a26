import { createContext, useCallback, useState } from 'react'

/** Called by a picture field: an upload began (1) or ended (-1). */
export const Uploading = createContext<(by: 1 | -1) => void>(() => {})

/** Counts running uploads, so that a form is not sent while `isUploading`. Provide `countUploading` as `Uploading` around its fields. */
export function useUploading() {
  const [count, setCount] = useState(0)
  const countUploading = useCallback((by: 1 | -1) => setCount((before) => before + by), [])
  return { isUploading: count > 0, countUploading }
}
