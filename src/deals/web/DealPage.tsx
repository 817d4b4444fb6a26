import { Suspense, type ComponentType, type ReactNode } from 'react'
import MapPin from 'lucide-react/icons/map-pin'
import Store from 'lucide-react/icons/store'
import { useLoaderData, useLocation, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { ask, askOrFail, pageContext } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useHereAndNow } from '../../kit/browser/here-and-now.ts'
import { late, lazily, suspended } from '../../kit/browser/late.tsx'
import { useOnceShown } from '../../kit/browser/once-shown.ts'
import { asOwner } from '../../accounts/web/session.ts'
import { Badge, CategoryTag, PremiumBadge } from '../../brand/Badge.tsx'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { toCategory } from '../../brand/category.ts'
import { ThingPage, ThingTitle } from '../../kit/browser/ui/Page.tsx'
import { SaveSlot } from '../../kit/browser/ui/SaveSlot.tsx'
import { WayText } from '../../kit/browser/ui/WayText.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import { isOnMap, mapBounds } from '../../map/web/bounds.ts'
import { Directions } from '../../map/web/Directions.tsx'
import { PlaceMap } from '../../map/web/PlaceMap.tsx'
import { businessPage, dealsMapPage, dealsPage, page } from '../../site-map.ts'
import { type Deal, getDeal, listDealsOfBusiness, viewDeal } from '../contract.ts'
import { useDealWhen } from './deal-when.ts'
import { cardDeal } from './card-deal.ts'
import { DealCard, dealPicture } from './DealCard.tsx'
import CounterView from './CounterView.tsx'
import { DealFacts } from './DealFacts.tsx'
import { DealPageHead } from './DealPageHead.tsx'
import { DealPrice } from './DealPrice.tsx'
import { DealRating } from './DealRating.tsx'
import { DealState } from './DealState.tsx'
import DealStatusBanner from './DealStatusBanner.tsx'
import { DealWords } from './DealWords.tsx'
import { isTooFar } from './reach.ts'
import ShareButton from './ShareButton.tsx'
import { fetchCounterView } from './ShowAtCounter.tsx'
import { useLang } from './use-lang.ts'
import { placeOf } from './with-distance.ts'
import { getBusiness } from '../../businesses/contract.ts'

const othersShown = 4

const Counter = import.meta.env.SSR ? CounterView : lazily(fetchCounterView)
const Share = import.meta.env.SSR ? suspended(ShareButton) : late(() => import('./ShareButton.tsx'))
const StatusBanner = import.meta.env.SSR ? suspended(DealStatusBanner) : late(() => import('./DealStatusBanner.tsx'))

/** Loads the deal, its business and other deals of it. */
export async function loadDeal({ context, params }: LoaderFunctionArgs) {
  const deal_id = params['deal_id'] ?? ''
  const { body: deal } = await askOrFail(context, getDeal, { params: { deal_id } })
  const ofMerchant = { params: { business_id: deal.business_id } }
  // the page can do without these, and the answer may lack the business
  const [business, others, bounds] = await Promise.all([
    deal.business_id ? ask(context, getBusiness, ofMerchant) : null,
    deal.business_id ? ask(context, listDealsOfBusiness, ofMerchant) : null,
    mapBounds(context),
  ])
  const { theme } = context.get(pageContext)
  return {
    deal,
    theme,
    address: business?.answer?.body.address ?? null,
    others: (others?.answer?.body ?? [])
      .filter((other) => other.deal_id !== deal.deal_id)
      .slice(0, othersShown)
      .map(cardDeal),
    hasMap: isOnMap(placeOf(deal), bounds),
  }
}

/**
 * `Action`: the main button. `?show=counter`: the view for the counter. `children`: what rooms above
 * add, such as ratings.
 */
export function DealPage({ Action, children }: { Action: ComponentType<{ deal: Deal }>; children?: ReactNode }) {
  const { deal, address, others, hasMap, theme } = useLoaderData<typeof loadDeal>()
  const t = useTranslations('deal')
  const say = useTranslations('deals')
  const categoryName = useTranslations('categories')
  const dealWhen = useDealWhen(deal)
  const lang = useLang(deal)
  const place = placeOf(deal)
  const { now, way: wayTo } = useHereAndNow()
  const way = wayTo(deal)
  const category = toCategory(deal.category)
  useOnceShown(deal.deal_id, () => {
    // visitors need not know when counting fails
    void ask(callByFetch, viewDeal, { params: { deal_id: deal.deal_id }, ...asOwner() })
  })
  const mapAt = place && hasMap && dealsMapPage({ lat: place.latitude, lon: place.longitude, deal: deal.deal_id })

  const asksForCounter = useLocation().search.includes('show=counter')
  const isAtCounter = asksForCounter && deal.status === 'active' && deal.redemption_mode === 'none'
  const isOn = deal.status === 'active' || deal.status === 'scheduled'
  if (isAtCounter)
    return (
      <div data-page="thing">
        <DealPageHead deal={deal} address={address} />
        <Suspense>
          <Counter deal={deal} />
        </Suspense>
      </div>
    )
  return (
    <ThingPage>
      <DealPageHead deal={deal} address={address} />
      <div className="grid grid-cols-1 gap-4 md:gap-6">
        <div className="max-md:hidden">
          <Breadcrumb
            label={t('way')}
            crumbs={[
              { label: t('deals'), href: page.deals },
              { label: categoryName(category), href: dealsPage({ category: deal.category }) },
            ]}
          />
        </div>
        {deal.status !== 'active' && <StatusBanner deal={deal} />}
        <div className="grid grid-cols-1 gap-4 md:gap-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,6fr)] lg:gap-12">
          <div className="relative aspect-[5/2] overflow-clip sm:aspect-[4/3] rounded-6 border-2 border-rule bg-well lg:self-start">
            <img
              src={dealPicture(deal)}
              alt=""
              width={800}
              height={600}
              fetchPriority="high"
              className="absolute inset-0 size-full object-cover"
            />
            <SaveSlot kind="deal" id={deal.deal_id} name={deal.deal_name} />
          </div>
          <div className="grid grid-cols-1 content-start gap-4 md:gap-5">
            <div className="@container grid grid-cols-1 gap-2">
              <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
                {isOn && <DealState deal={deal} isTooFar={isTooFar(deal, way, now)} size="lg" />}
                {way && (
                  <span className="inline-flex items-center gap-1 text-lg font-semibold">
                    <MapPin aria-hidden="true" className="size-5 shrink-0" />
                    <WayText way={way} />
                  </span>
                )}
              </p>
              <ThingTitle lang={lang}>{deal.deal_name}</ThingTitle>
              <PriceBlock deal={deal} />
              <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
                {deal.business_id && (
                  <a
                    href={businessPage(deal.business_id)}
                    className="link inline-flex min-h-11 items-center gap-2 text-lg font-semibold [overflow-wrap:anywhere]"
                  >
                    <Store aria-hidden="true" className="size-5 shrink-0" />
                    {deal.business_name || t('merchant')}
                  </a>
                )}
                <DealRating deal={deal} />
              </p>
              <p className="flex flex-wrap gap-2">
                <CategoryTag category={category}>{categoryName(category)}</CategoryTag>
                {deal.is_premium && <PremiumBadge>{say('premium')}</PremiumBadge>}
                {dealWhen.endsSoon && <Badge tone="ink">{say('endingSoon')}</Badge>}
              </p>
            </div>
            <Action key={deal.deal_id} deal={deal} />
            <p className="flex flex-wrap gap-3 max-sm:[&>*]:flex-1 print-hidden">
              {place && (
                <Directions to={place} name={deal.business_name || deal.deal_name}>
                  {t('directions')}
                </Directions>
              )}
              <Share title={deal.deal_name} />
            </p>
            <DealFacts deal={deal} address={address} />
            {mapAt && <PlaceMap at={place} href={mapAt} theme={theme} />}
          </div>
        </div>
      </div>

      <DealWords deal={deal} />

      {children}

      {others.length > 0 && (
        <section aria-labelledby="more" className="grid gap-5">
          <WaveRule className="text-coral" />
          <h2 id="more" className="[overflow-wrap:anywhere]">
            {t('more', { merchant: deal.business_name })}
          </h2>
          <ul className="grid gap-3 sm:grid-cols-2 sm:gap-5 xl:grid-cols-4">
            {others.map((other) => (
              <li key={other.deal_id} className="min-w-0">
                <DealCard deal={other} hideMerchant />
              </li>
            ))}
          </ul>
        </section>
      )}
    </ThingPage>
  )
}

function PriceBlock({ deal }: { deal: Deal }) {
  const t = useTranslations('deal')
  const when = useWhen()
  if (!deal.price && deal.price_chf === null && !deal.discount) return null
  const hasPrice = !!deal.price || deal.price_chf !== null
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="sr-only">{hasPrice ? t('price') : t('discount')}</span>
        <DealPrice deal={deal} size="lg" />
      </p>
      {deal.regular_price_chf !== null && deal.regular_price_since !== null && (
        <p className="text-sm text-ink-soft">
          {t('regularSince', { day: when.day(`${deal.regular_price_since}T12:00:00Z`) })}
        </p>
      )}
    </div>
  )
}
