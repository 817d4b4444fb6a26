import 'texts:categories,dealList,deals,printedHead'
import { useSearchParams } from 'react-router'
import { AllDeals } from '../../deals/web/AllDeals.tsx'
import { loadInBrowser, loadPacked } from '../../deals/web/load-deals.ts'
import { late, suspended } from '../../kit/browser/late.tsx'
import SavedDeals from './SavedDeals.tsx'

export { loadPacked as loader, loadInBrowser as clientLoader }

/** Loaded when needed, since only people with saved deals come here; servers render it at once. */
const Saved = import.meta.env.SSR ? suspended(SavedDeals) : late(() => import('./SavedDeals.tsx'))

/** All deals; with `saved=1` those saved on this phone, since guests have no `/favorites`. */
export default function DealsScreen() {
  const [search] = useSearchParams()
  return search.get('saved') === '1' ? <Saved /> : <AllDeals />
}
