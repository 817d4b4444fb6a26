import 'texts:deals,ratings,reportLink'
import type { Deal } from '../../deals/contract.ts'
import { DealRatings } from '../../ratings/web/DealRatings.tsx'
import type { RatingPage } from '../../ratings/web/first-ratings.ts'
import { ReportDeal } from '../../cases/web/ReportDeal.tsx'

export default function BelowDeal({ deal, ratings }: { deal: Deal; ratings: RatingPage }) {
  return (
    <>
      <DealRatings deal={deal} first={ratings} />
      <ReportDeal dealId={deal.deal_id} />
    </>
  )
}
