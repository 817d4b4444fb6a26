import { useSearchParams } from 'react-router'
import Deals from '../../deals/web/DealsScreen.tsx'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { late } from '../../kit/browser/late.tsx'

export { loader, clientLoader } from '../../deals/web/DealsScreen.tsx'

/** Only who has saved something comes here, so nobody else waits for its code. */
const SavedHere = late(() => import('../../favorites/web/SavedHere.tsx'))

/** All deals; with `saved=1` those that this phone has saved, which a guest cannot see at `/favorites`. */
export default function DealsScreen() {
  const [search] = useSearchParams()
  const isAlive = useHydrated()
  if (search.get('saved') !== '1') return <Deals />
  // only the phone knows
  if (!isAlive) return null
  return <SavedHere />
}
