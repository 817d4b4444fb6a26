import type { Deal } from '../../deals/contract.ts'
import { DealPage, loadDeal } from '../../deals/web/DealPage.tsx'
import { ShowAtCounter } from '../../deals/web/ShowAtCounter.tsx'

export { loadDeal as loader, loadDeal as clientLoader }

/** The page of a deal, with the one thing to do there. */
export default function DealScreen() {
  return <DealPage Action={Action} />
}

/** How one gets the deal. Here a room above deals puts its own way beside the one that all deals have. */
function Action({ deal }: { deal: Deal }) {
  return <ShowAtCounter deal={deal} />
}
