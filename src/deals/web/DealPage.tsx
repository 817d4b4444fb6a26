import type { ComponentType, ReactNode } from 'react'
import { MapPin, Store } from 'lucide-react'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { ask, askOrFail, pageContext } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useHere } from '../../kit/browser/here.ts'
import { distance, footMinutes } from '../../kit/browser/measures.ts'
import { useOnceShown } from '../../kit/browser/once-shown.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { asOwner } from '../../accounts/web/session.ts'
import { Badge, CategoryTag, StarShape } from '../../brand/Badge.tsx'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { toCategory } from '../../brand/category.ts'
import { headlineType } from '../../kit/browser/ui/long-words.ts'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { SaveSlot } from '../../kit/browser/ui/SaveSlot.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { breadcrumbs } from '../../kit/browser/structured-data.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { distanceKm } from '../../kit/shared/geo.ts'
import { isOnMap, mapBounds } from '../../map/web/bounds.ts'
import { Directions } from '../../map/web/Directions.tsx'
import { PlaceMap } from '../../map/web/PlaceMap.tsx'
import { businessPage, dealPage, dealsMapPage, dealsPage, page, sharingPicture } from '../../site-map.ts'
import type { Deal } from '../contract.ts'
import { offerData, sellerData } from './deal-data.ts'
import { useDealWhen } from './deal-when.ts'
import { cardDeal, DealCard, dealPicture } from './DealCard.tsx'
import { CounterView } from './CounterView.tsx'
import { DealPrice } from './DealPrice.tsx'
import { DealRating } from './DealRating.tsx'
import { ShareButton } from './ShareButton.tsx'
import { useLang } from './use-lang.ts'
import { getDeal, listDealsOfBusiness, viewDeal } from './calls.ts'
import { getBusiness } from '../../businesses/web/calls.ts'

const othersShown = 4

/** The deal with its place and what else its merchant offers; `?show=counter` asks for the view for the counter. */
export async function loadDeal({ context, params, request }: LoaderFunctionArgs) {
  const deal_id = params['deal_id'] ?? ''
  const { body: deal } = await askOrFail(context, getDeal, { params: { deal_id } })
  const ofMerchant = { params: { business_id: deal.business_id } }
  // the deal is the page; without these two it is only a little poorer, and a deal may not say whose it is
  const [business, others, bounds] = await Promise.all([
    deal.business_id ? ask(context, getBusiness, ofMerchant) : null,
    deal.business_id ? ask(context, listDealsOfBusiness, ofMerchant) : null,
    mapBounds(context),
  ])
  const place = placeOf(deal)
  const { festival, theme } = context.get(pageContext)
  return {
    deal,
    isAtCounter: deal.status === 'active' && new URL(request.url).searchParams.get('show') === 'counter',
    theme,
    address: business?.answer?.body.address ?? null,
    others: (others?.answer?.body ?? [])
      .filter((other) => other.deal_id !== deal.deal_id)
      .slice(0, othersShown)
      .map(cardDeal),
    hasMap: isOnMap(place, bounds),
    kmFromCentre: place && distanceKm(festival, place),
  }
}

/** `Action` is how one gets the deal: the one primary button of the page. What rooms above say of it is `children`. */
export function DealPage({ Action, children }: { Action: ComponentType<{ deal: Deal }>; children?: ReactNode }) {
  const { deal, address, others, hasMap, theme, kmFromCentre, isAtCounter } = useLoaderData<typeof loadDeal>()
  const t = useTranslations('deal')
  const say = useTranslations('deals')
  const categoryName = useTranslations('categories')
  const when = useWhen()
  const dealWhen = useDealWhen(deal)
  const lang = useLang(deal)
  const place = placeOf(deal)
  const category = toCategory(deal.category)
  useOnceShown(deal.deal_id, () => {
    // counting is nobody's business but the merchant's: a failure stays unseen
    void ask(callByFetch, viewDeal, { params: { deal_id: deal.deal_id }, ...asOwner() })
  })
  const mapAt = place && hasMap && dealsMapPage({ lat: place.latitude, lon: place.longitude, deal: deal.deal_id })

  const isOn = deal.status === 'active' || deal.status === 'scheduled'
  const head = (
    <PageHead
      title={deal.deal_name}
      description={
        deal.description?.trim() ||
        (deal.business_name ? t('description', { deal: deal.deal_name, merchant: deal.business_name }) : deal.deal_name)
      }
      address={dealPage(deal.deal_id)}
      hidden={deal.status === 'expired'}
      picture={{
        path: sharingPicture('deal', { id: deal.deal_id, updated_at: deal.updated_at }),
        alt: [deal.deal_name, deal.business_name].filter(Boolean).join(', '),
      }}
      kind="ItemPage"
      data={
        import.meta.env.SSR
          ? (site) => [
              { ...offerData(site, deal), seller: deal.business_id ? sellerData(site, deal, address) : undefined },
              breadcrumbs(site, [
                { name: t('deals'), path: page.deals },
                { name: categoryName(category), path: dealsPage({ category: deal.category }) },
                { name: deal.deal_name, path: dealPage(deal.deal_id) },
              ]),
            ]
          : undefined
      }
    />
  )
  if (isAtCounter)
    return (
      <>
        {head}
        <CounterView deal={deal} />
      </>
    )
  return (
    <article className="shell grid grid-cols-1 gap-8 pt-3 pb-28 md:gap-12 md:py-8">
      {head}
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
        <StatusBanner deal={deal} />
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
          <div className="@container grid grid-cols-1 content-start gap-4 md:gap-5">
            <div className="grid grid-cols-1 gap-2">
              <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
                {isOn && (
                  <OpenState state={dealWhen.state} size="lg">
                    {dealWhen.text}
                  </OpenState>
                )}
                <DistanceFromHere place={place} />
              </p>
              <h1 lang={lang} className={headlineType(deal.deal_name)}>
                {deal.deal_name}
              </h1>
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
                {deal.is_premium && (
                  <Badge tone="lantern" icon={<StarShape />}>
                    {say('premium')}
                  </Badge>
                )}
                {dealWhen.endsSoon && <Badge tone="ink">{say('endingSoon')}</Badge>}
              </p>
            </div>
            <div className="max-md:fixed max-md:inset-x-0 max-md:bottom-[calc(4rem+env(safe-area-inset-bottom))] max-md:z-20 max-md:bg-page max-md:px-4 max-md:py-2 print-hidden max-md:empty:hidden">
              <Action deal={deal} />
            </div>
            <p className="flex flex-wrap gap-3 max-sm:[&>*]:flex-1 print-hidden">
              {place && (
                <Directions to={place} name={deal.business_name || deal.deal_name}>
                  {t('directions')}
                </Directions>
              )}
              <ShareButton title={deal.deal_name} />
            </p>
            <dl className="grid grid-cols-1 gap-x-6 gap-y-3 border-y-2 border-rule py-4 sm:grid-cols-2">
              <Fact name={t('when')}>
                {deal.starts_at && when.minutesTo(deal.starts_at) > 0 && (
                  <span className="block">{t('from', { time: when.time(deal.starts_at) })}</span>
                )}
                <span className="block">{dealWhen.hours ?? t('always')}</span>
                {deal.ends_at && <span className="block">{t('until', { time: when.time(deal.ends_at) })}</span>}
              </Fact>
              <Fact name={t('where')}>
                {address && <span className="block">{address}</span>}
                {kmFromCentre !== null && (
                  <span className="block font-normal text-ink-soft">
                    {t('fromCentre', { distance: distance(kmFromCentre) })}
                    {footMinutes(kmFromCentre) !== null && `, ${t('foot', { n: footMinutes(kmFromCentre)! })}`}
                  </span>
                )}
                {!place && <span className="block">{t('noLocation')}</span>}
              </Fact>
              {(deal.total_limit !== null || deal.redemption_mode === 'code') && (
                <Fact name={t('howMany')}>
                  {[
                    t('perUser', { n: deal.per_user_limit }),
                    deal.total_limit !== null && t('limit', { n: deal.total_limit }),
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </Fact>
              )}
            </dl>
            {mapAt && <PlaceMap at={place} href={mapAt} theme={theme} />}
          </div>
        </div>
      </div>

      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,6fr)] lg:gap-12">
        <section aria-labelledby="about" className="grid content-start gap-3">
          <h2 id="about">{t('about')}</h2>
          <p className="max-w-prose text-lg whitespace-pre-line [overflow-wrap:anywhere]">
            {deal.description ? (
              <span lang={lang}>{deal.description}</span>
            ) : (
              <span className="text-ink-soft">{t('noDescription')}</span>
            )}
          </p>
          {deal.tags.length > 0 && (
            <ul aria-label={t('tags')} className="flex flex-wrap gap-2 pt-2">
              {deal.tags.map((tag) => (
                <li key={tag}>
                  <a
                    href={dealsPage({ category: tag })}
                    className="inline-flex min-h-11 items-center rounded-6 border-2 border-hair px-3 text-sm font-semibold text-ink no-underline hover:border-ink"
                  >
                    {tag}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </section>
        {deal.terms && (
          <section
            aria-labelledby="terms"
            className="grid content-start gap-2 rounded-6 border-2 border-rule bg-surface p-4 lg:self-start"
          >
            <h2 id="terms" className="text-xl">
              {t('terms')}
            </h2>
            <p lang={lang} className="max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">
              {deal.terms}
            </p>
          </section>
        )}
      </div>

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
    </article>
  )
}

/** How far it is from where the list was asked. */
function DistanceFromHere({ place }: { place: ReturnType<typeof placeOf> }) {
  const say = useTranslations('deals')
  const here = useHere()
  const km = here && place ? distanceKm(here, place) : null
  if (km === null) return null
  const minutes = footMinutes(km)
  return (
    <span className="inline-flex items-center gap-1 text-lg font-semibold">
      <MapPin aria-hidden="true" className="size-5 shrink-0" />
      {distance(km)}
      {minutes !== null && `, ${say('foot', { n: minutes })}`}
    </span>
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

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-sm font-semibold text-ink-soft">{name}</dt>
      <dd className="font-semibold [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

/** Why it cannot be had now, and where to go instead. */
function StatusBanner({ deal }: { deal: Deal }) {
  const t = useTranslations('deal')
  const when = useWhen()
  const texts: Partial<Record<Deal['status'], string>> = {
    scheduled: deal.starts_at
      ? t('status.scheduled', { when: when.moment(deal.starts_at) })
      : t('status.scheduledSoon'),
    paused: t('status.paused'),
    expired:
      deal.over_because === 'hours'
        ? t('status.overByHours')
        : deal.ends_at
          ? t('status.expiredAt', { when: when.time(deal.ends_at) })
          : t('status.expired'),
    sold_out: t('status.sold_out'),
  }
  const text = texts[deal.status]
  if (!text) return null
  const isOver = deal.status !== 'scheduled'
  return (
    <Notice
      kind={isOver ? 'warn' : 'info'}
      title={text}
      action={isOver ? <ButtonLink href={dealsPage({ category: deal.category })}>{t('others')}</ButtonLink> : undefined}
    />
  )
}

function placeOf({ latitude, longitude }: Pick<Deal, 'latitude' | 'longitude'>) {
  return latitude === null || longitude === null ? null : { latitude, longitude }
}
