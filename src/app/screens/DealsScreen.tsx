import 'texts:categories,dealList,deals,printedHead'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import Deals from '../../deals/web/DealsScreen.tsx'
import SavedHere from '../../favorites/web/SavedHere.tsx'
import { late } from '../../kit/browser/late.tsx'

export { loader, clientLoader } from '../../deals/web/DealsScreen.tsx'

/** Only who has saved something comes here, so nobody else waits for its code; servers draw it as well. */
const Saved = import.meta.env.SSR
  ? () => (
      <Suspense>
        <SavedHere />
      </Suspense>
    )
  : late(() => import('../../favorites/web/SavedHere.tsx'))

/** All deals; with `saved=1` those that this phone has saved, which a guest cannot see at `/favorites`. */
export default function DealsScreen() {
  const [search] = useSearchParams()
  return search.get('saved') === '1' ? <Saved /> : <Deals />
}
