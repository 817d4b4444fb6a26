import { createContext, useCallback, useState } from 'react'

/** Tells the form around that one more picture is being uploaded (1), or one less (-1). */
export const Uploading = createContext<(by: 1 | -1) => void>(() => {})

/** A picture on its way belongs to the form: what sends it waits while `isUploading`. `countUploading` is the `Uploading` around its fields. */
export function useUploading() {
  const [count, setCount] = useState(0)
  const countUploading = useCallback((by: 1 | -1) => setCount((before) => before + by), [])
  return { isUploading: count > 0, countUploading }
}
