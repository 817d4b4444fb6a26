import type { Deal } from '../../deals/contract.ts'
import { DealPage, loadDeal } from '../../deals/web/DealPage.tsx'
import { ShowAtCounter } from '../../deals/web/ShowAtCounter.tsx'
import { GetCode } from '../../redemptions/web/GetCode.tsx'

export { loadDeal as loader, loadDeal as clientLoader }

/** The page of a deal, with the one thing to do there. */
export default function DealScreen() {
  return <DealPage Action={Action} />
}

/** How one gets the deal: with a code where the merchant counts them, else by showing the page. */
function Action({ deal }: { deal: Deal }) {
  return deal.redemption_mode === 'code' ? <GetCode deal={deal} /> : <ShowAtCounter deal={deal} />
}
