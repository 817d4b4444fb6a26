import { useEffect, useState } from 'react'

/** As the variant `beside` of the style sheet has it. */
const beside = '(min-width: 64rem), (min-width: 40rem) and (max-height: 29.99rem)'

/** On phones the map fills the screen and may take every finger; beside a list it lies in a page that scrolls. */
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
