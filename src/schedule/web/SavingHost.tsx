import { useHydrated } from '../../kit/browser/hydrated.ts'
import { importWithRetry } from '../../kit/browser/import-with-retry.ts'
import { late } from '../../kit/browser/late.tsx'

// presses before it is loaded wait for it
const SavingParts = late(() => importWithRetry(() => import('./SavingParts.tsx')))

/** Loads the code of save buttons after hydration. Put it once on each page with such buttons. */
export function SavingHost() {
  return useHydrated() && <SavingParts />
}
