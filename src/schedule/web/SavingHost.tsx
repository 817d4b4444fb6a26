import { useHydrated } from '../../kit/browser/hydrated.ts'
import { late } from '../../kit/browser/late.tsx'

const SavingParts = late(() => import('./SavingParts.tsx').catch(again))

const pauseMs = { first: 1000, longest: 30_000 }

/** It did not come: what was pressed meanwhile waits for the network, or for a server that is too busy to bring it. */
async function again() {
  for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
    await new Promise((resolve) => {
      if (navigator.onLine) setTimeout(resolve, pause)
      else addEventListener('online', resolve, { once: true })
    })
    const parts = await import('./SavingParts.tsx').catch(() => null)
    if (parts) return parts
  }
}

/** What the save buttons of a page do, ask and say, fetched once the page is alive. Once on every page that has such buttons. */
export function SavingHost() {
  return useHydrated() && <SavingParts />
}
