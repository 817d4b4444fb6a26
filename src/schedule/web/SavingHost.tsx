import { useHydrated } from '../../kit/browser/hydrated.ts'
import { importWithRetry } from '../../kit/browser/import-with-retry.ts'
import { late } from '../../kit/browser/late.tsx'

// what was pressed meanwhile waits for it
const SavingParts = late(() => importWithRetry(() => import('./SavingParts.tsx')))

/** What the save buttons of a page do, ask and say, fetched once the page is alive. Once on every page that has such buttons. */
export function SavingHost() {
  return useHydrated() && <SavingParts />
}
