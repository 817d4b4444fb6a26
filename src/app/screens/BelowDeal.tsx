import 'texts:deals,ratings,reportLink'
import type { Deal } from '../../deals/contract.ts'
import { DealRatings } from '../../ratings/web/DealRatings.tsx'
import type { RatingPage } from '../../ratings/web/first-ratings.ts'
import { ReportDeal } from '../../cases/web/ReportDeal.tsx'

/** The part below a deal: its ratings and the link to report it. */
export default function BelowDeal({ deal, ratings }: { deal: Deal; ratings: RatingPage }) {
  return (
    <>
      <DealRatings deal={deal} first={ratings} />
      <ReportDeal dealId={deal.deal_id} />
    </>
  )
}
