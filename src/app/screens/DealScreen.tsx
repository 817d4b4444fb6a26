import 'texts:categories,deal,deals,getCode,placeMap'
import { memo, Suspense, type ComponentProps } from 'react'
import { useLoaderData, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from 'react-router'
import type { Deal } from '../../deals/contract.ts'
import { DealPage, loadDeal } from '../../deals/web/DealPage.tsx'
import { ShowAtCounter } from '../../deals/web/ShowAtCounter.tsx'
import { importWithRetry } from '../../kit/browser/import-with-retry.ts'
import { late } from '../../kit/browser/late.tsx'
import { useRefreshWhenStale } from '../../kit/browser/use-refresh-when-stale.ts'
import { firstRatings, noRatings } from '../../ratings/web/first-ratings.ts'
import { GetCode } from '../../redemptions/web/GetCode.tsx'
import SaidOfDeal from './SaidOfDeal.tsx'

/**
 * It lies below what people come for, so it comes alive after the rest; servers draw it as well. `memo`, as a part that has not come
 * alive is left out when it is drawn again.
 */
const Said = import.meta.env.SSR
  ? (props: ComponentProps<typeof SaidOfDeal>) => (
      <Suspense>
        <SaidOfDeal {...props} />
      </Suspense>
    )
  : memo(late(() => importWithRetry(() => import('./SaidOfDeal.tsx'))))

/** A deal that nobody has rated is not asked about: most pages of a crowd are of such deals. */
async function load(args: LoaderFunctionArgs) {
  const page = await loadDeal(args)
  const { deal_id, rating_count } = page.deal
  return { ...page, ratings: rating_count === 0 ? noRatings : await firstRatings(args.context, deal_id) }
}

/** Both at once, as each takes a round. */
async function loadInBrowser(args: LoaderFunctionArgs) {
  // beside the answers, for who comes from another page
  void import('./SaidOfDeal.tsx').catch(() => {})
  const [page, ratings] = await Promise.all([loadDeal(args), firstRatings(args.context, args.params['deal_id'] ?? '')])
  return { ...page, ratings }
}
export { load as loader, loadInBrowser as clientLoader }

/** To the view for the counter and back nothing is asked for: there may be no network. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isSamePage = currentUrl.pathname === nextUrl.pathname
  return isSamePage && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate
}

/** The page of a deal, with the one thing to do there. */
export default function DealScreen() {
  const shown = useLoaderData<typeof load>()
  useRefreshWhenStale(shown)
  const { deal, ratings } = shown
  return (
    <DealPage Action={Action}>
      <Said key={deal.deal_id} deal={deal} ratings={ratings} />
    </DealPage>
  )
}

/** How one gets the deal: with a code where the merchant counts them, else by showing the page. */
function Action({ deal }: { deal: Deal }) {
  return deal.redemption_mode === 'code' ? <GetCode deal={deal} /> : <ShowAtCounter deal={deal} />
}
