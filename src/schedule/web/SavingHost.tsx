import { useHydrated } from '../../kit/browser/hydrated.ts'
import { late } from '../../kit/browser/late.tsx'

const SavingParts = late(() => import('./SavingParts.tsx').catch(again))

// the network went before it came: what was pressed meanwhile waits until there is one
async function again() {
  await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
  return import('./SavingParts.tsx')
}

/** What the save buttons of a page do, ask and say, fetched once the page is alive. Once on every page that has such buttons. */
export function SavingHost() {
  return useHydrated() && <SavingParts />
}
