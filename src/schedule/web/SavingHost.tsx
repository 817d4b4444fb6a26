import { useHydrated } from '../../kit/browser/hydrated.ts'
import { late } from '../../kit/browser/late.tsx'

const SavingParts = late(() => import('./SavingParts.tsx'))

/** What the save buttons of a page ask and say, fetched once the page is alive. Once on every page that has such buttons. */
export function SavingHost() {
  return useHydrated() && <SavingParts />
}
