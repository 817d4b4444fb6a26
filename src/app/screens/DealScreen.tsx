import 'texts:categories,deal,deals,getCode,placeMap'
import { memo } from 'react'
import { useLoaderData, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from 'react-router'
import { DealPage, loadDeal } from '../../deals/web/DealPage.tsx'
import { importWithRetry } from '../../kit/browser/import-with-retry.ts'
import { late, suspended } from '../../kit/browser/late.tsx'
import { useRefreshWhenStale } from '../../kit/browser/use-refresh-when-stale.ts'
import { firstRatings, noRatings } from '../../ratings/web/first-ratings.ts'
import { DealAction } from '../../redemptions/web/DealAction.tsx'
import BelowDeal from './BelowDeal.tsx'

/**
 * Hydrated after the rest, since it is below what people come for; servers render it at once. `memo`, because a part that is rendered
 * again before it is hydrated would disappear.
 */
const Below = import.meta.env.SSR
  ? suspended(BelowDeal)
  : memo(late(() => importWithRetry(() => import('./BelowDeal.tsx'))))

/** Asks for ratings only when the deal has some: most deals have none. */
async function load(args: LoaderFunctionArgs) {
  const page = await loadDeal(args)
  const { deal_id, rating_count } = page.deal
  return { ...page, ratings: rating_count === 0 ? noRatings : await firstRatings(args.context, deal_id) }
}

/** Asks for deal and ratings at the same time, to save a round trip. */
async function loadInBrowser(args: LoaderFunctionArgs) {
  // fetched at the same time as the answers
  void import('./BelowDeal.tsx').catch(() => {})
  const [page, ratings] = await Promise.all([loadDeal(args), firstRatings(args.context, args.params['deal_id'] ?? '')])
  return { ...page, ratings }
}
export { load as loader, loadInBrowser as clientLoader }

/** Loads nothing when only the query changes (the view for the counter), since there may be no network. */
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
    <DealPage Action={DealAction}>
      <Below key={deal.deal_id} deal={deal} ratings={ratings} />
    </DealPage>
  )
}
