import { useEffect, useState } from 'react'

/** The same as the variant `beside` of the style sheet. */
const beside = '(min-width: 64rem), (min-width: 40rem) and (max-height: 29.99rem)'

/** True on phones, where the map fills the screen and takes all gestures; else it is beside a list, in a page that scrolls. */
export function useIsStage(): boolean {
  const [is, set] = useState(() => typeof matchMedia !== 'undefined' && !matchMedia(beside).matches)
  useEffect(() => {
    const list = matchMedia(beside)
    const look = () => set(!list.matches)
    list.addEventListener('change', look)
    return () => list.removeEventListener('change', look)
  }, [])
  return is
}
