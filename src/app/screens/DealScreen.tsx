import { useLoaderData, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from 'react-router'
import type { Deal } from '../../deals/contract.ts'
import { DealPage, loadDeal } from '../../deals/web/DealPage.tsx'
import { ShowAtCounter } from '../../deals/web/ShowAtCounter.tsx'
import { DealRatings, firstRatings } from '../../ratings/web/DealRatings.tsx'
import { useRenewal } from '../../kit/browser/use-renewal.ts'
import { GetCode } from '../../redemptions/web/GetCode.tsx'
import { ReportDeal } from '../../reports/web/ReportDeal.tsx'

async function load(args: LoaderFunctionArgs) {
  const [page, ratings] = await Promise.all([loadDeal(args), firstRatings(args.context, args.params['deal_id'] ?? '')])
  return { ...page, ratings }
}
export { load as loader, load as clientLoader }

/** To the view for the counter and back nothing is asked for: there may be no network. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isSamePage = currentUrl.pathname === nextUrl.pathname
  return isSamePage && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate
}

/** The page of a deal, with the one thing to do there. */
export default function DealScreen() {
  const shown = useLoaderData<typeof load>()
  useRenewal(shown)
  const { deal, ratings } = shown
  return (
    <DealPage Action={Action}>
      <DealRatings key={deal.deal_id} deal={deal} first={ratings} />
      <ReportDeal key={deal.deal_id} dealId={deal.deal_id} />
    </DealPage>
  )
}

/** How one gets the deal: with a code where the merchant counts them, else by showing the page. */
function Action({ deal }: { deal: Deal }) {
  return deal.redemption_mode === 'code' ? <GetCode deal={deal} /> : <ShowAtCounter deal={deal} />
}
