import { useHydrated } from '../../kit/browser/hydrated.ts'
import { importAgain } from '../../kit/browser/import-again.ts'
import { late } from '../../kit/browser/late.tsx'

// what was pressed meanwhile waits for it
const SavingParts = late(() => importAgain(() => import('./SavingParts.tsx')))

/** What the save buttons of a page do, ask and say, fetched once the page is alive. Once on every page that has such buttons. */
export function SavingHost() {
  return useHydrated() && <SavingParts />
}
