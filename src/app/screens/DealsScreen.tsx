import 'texts:categories,dealList,deals,printedHead'
import { useSearchParams } from 'react-router'
import { AllDeals } from '../../deals/web/AllDeals.tsx'
import { load, loadInBrowser } from '../../deals/web/load-deals.ts'
import SavedHere from '../../favorites/web/SavedHere.tsx'
import { late, suspended } from '../../kit/browser/late.tsx'
import { SavedTabs } from './SavedTabs.tsx'

export { load as loader, loadInBrowser as clientLoader }

/** Loaded when needed, since only people with saved deals come here; servers render it at once. */
const Saved = import.meta.env.SSR ? suspended(SavedHere) : late(() => import('../../favorites/web/SavedHere.tsx'))

/** All deals; with `saved=1` those saved on this phone, since guests have no `/favorites`. */
export default function DealsScreen() {
  const [search] = useSearchParams()
  return search.get('saved') === '1' ? <Saved tabs={<SavedTabs current="deals" />} /> : <AllDeals />
}
