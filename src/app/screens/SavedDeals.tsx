import SavedHere from '../../favorites/web/SavedHere.tsx'
import { SavedTabs } from './SavedTabs.tsx'

/** The deals that a guest saved on this phone. */
export default function SavedDeals() {
  return <SavedHere tabs={<SavedTabs current="deals" />} />
}
