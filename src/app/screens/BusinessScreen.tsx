import { Suspense, use, useEffect, useRef, type ReactNode } from 'react'
import { ExternalLink, Map } from 'lucide-react'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import type { PublicBusiness } from '../../businesses/contract.ts'
import { businessData } from '../../businesses/web/business-data.ts'
import { BusinessLogo } from '../../businesses/web/BusinessLogo.tsx'
import { OpeningHours } from '../../businesses/web/OpeningHours.tsx'
import type { Deal } from '../../deals/contract.ts'
import { offerData } from '../../deals/web/deal-data.ts'
import { OfferCard } from '../../deals/web/OfferCard.tsx'
import { ask, askOrFail } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { coordinates } from '../../kit/browser/directions.ts'
import { useOnceShown } from '../../kit/browser/once-shown.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { asOwner } from '../../accounts/web/session.ts'
import { breadcrumbs } from '../../kit/browser/structured-data.ts'
import { Badge, CategoryTag, StarShape } from '../../brand/Badge.tsx'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { toCategory } from '../../brand/category.ts'
import { headlineType } from '../../kit/browser/ui/long-words.ts'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { SaveSlot } from '../../kit/browser/ui/SaveSlot.tsx'
import { Skeleton } from '../../kit/browser/ui/Skeleton.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { useWhen } from '../../kit/browser/when.ts'
import type { Position } from '../../kit/shared/geo.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { isOnMap, mapBounds } from '../../map/web/bounds.ts'
import { Directions } from '../../map/web/Directions.tsx'
import { mapIntent } from '../../map/web/load-engine.ts'
import { PlaceMap } from '../../map/web/PlaceMap.tsx'
import { businessPage, dealsMapPage, page, sharingPicture } from '../../site-map.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { useChoices } from '../root.tsx'
import { NothingHere } from './NotFoundScreen.tsx'
import { BusinessRatings, businessRatings } from '../../ratings/web/BusinessRatings.tsx'
import type { BusinessRatings as RatingsOfBusiness } from '../../ratings/contract.ts'
import { listDealsOfBusiness } from '../../deals/web/calls.ts'
import { getBusiness, viewBusiness } from '../../businesses/web/calls.ts'

type Context = LoaderFunctionArgs['context']
interface Profile {
  business: PublicBusiness
  /** null: the list could not be loaded; the page shows all the same. */
  deals: Deal[] | null
  /** The map reaches that far. */
  hasMap: boolean
  /** null: they could not be loaded. */
  ratings: RatingsOfBusiness | null
}

/** On the server the whole page: an unknown business is a 404. */
async function load({ context, params }: LoaderFunctionArgs) {
  const at = { params: { business_id: params['business_id'] ?? '' } }
  const [{ body: business }, deals, bounds, ratings] = await Promise.all([
    askOrFail(context, getBusiness, at),
    dealsOf(context, at.params.business_id),
    mapBounds(context),
    businessRatings(context, at.params.business_id),
  ])
  const profile: Profile = { business, deals, hasMap: isOnMap(placeOf(business), bounds), ratings }
  return { businessId: business.business_id, profile }
}

/** In the browser the screen opens at once and says that it is loading. */
function loadInBrowser({ context, params }: LoaderFunctionArgs) {
  const business_id = params['business_id'] ?? ''
  return { businessId: business_id, profile: profileOf(context, business_id) }
}
export { load as loader, loadInBrowser as clientLoader }

async function profileOf(context: Context, business_id: string): Promise<Profile | RefusedAnswer> {
  const [{ answer, refused }, deals, bounds, ratings] = await Promise.all([
    ask(context, getBusiness, { params: { business_id } }),
    dealsOf(context, business_id),
    mapBounds(context),
    businessRatings(context, business_id),
  ])
  return refused ?? { business: answer.body, deals, hasMap: isOnMap(placeOf(answer.body), bounds), ratings }
}

const placeOf = ({ latitude, longitude }: PublicBusiness): Position | null =>
  latitude === null || longitude === null ? null : { latitude, longitude }

async function dealsOf(context: Context, business_id: string): Promise<Deal[] | null> {
  const { answer } = await ask(context, listDealsOfBusiness, {
    params: { business_id },
  })
  return answer?.body ?? null
}

export default function BusinessScreen() {
  const { businessId, profile } = useLoaderData() as {
    businessId: string
    profile: Profile | Promise<Profile | RefusedAnswer>
  }
  return (
    <Suspense key={businessId} fallback={<Loading />}>
      {profile instanceof Promise ? <Arriving profile={profile} /> : <BusinessPage {...profile} />}
    </Suspense>
  )
}

function Arriving({ profile }: { profile: Promise<Profile | RefusedAnswer> }) {
  const t = useTranslations('business')
  const arrived = use(profile)
  if ('business' in arrived) return <BusinessPage {...arrived} hasArrived />
  if (arrived.status === 404)
    return (
      <>
        <PageHead title={t('notFound')} hidden />
        <NothingHere what={arrived.error || t('notFound')} />
      </>
    )
  return (
    <>
      <PageHead title={t('title')} hidden />
      <ErrorScreen
        title={t('failed')}
        kind={arrived.status === 0 ? 'offline' : arrived.status === 503 ? 'busy' : 'unread'}
        text={arrived.error || null}
      />
    </>
  )
}

function Loading() {
  const t = useTranslations('business')
  return (
    <div className="shell grid gap-6 py-6 md:py-10">
      <PageHead title={t('title')} />
      <h1 className="flex items-center gap-3 text-lg">
        <Bars />
        <output>{t('loading')}</output>
      </h1>
      <div className="grid gap-6 lg:grid-cols-[5fr_7fr] lg:gap-12">
        <Skeleton className="aspect-[4/3]" />
        <div className="grid content-start gap-4">
          <Skeleton className="h-14 w-4/5" />
          <Skeleton className="h-5" />
          <Skeleton className="h-5 w-2/3" />
        </div>
      </div>
    </div>
  )
}

/** `hasArrived`: it takes the place of the loading line, and the focus that was there. */
function BusinessPage({ business, deals, hasMap, ratings, hasArrived = false }: Profile & { hasArrived?: boolean }) {
  const t = useTranslations('business')
  const categoryName = useTranslations('categories')
  const when = useWhen()
  const open = when.opening(business)
  const category = toCategory(business.category)
  const place = placeOf(business)
  const { theme } = useChoices()
  const mapAt =
    place &&
    hasMap &&
    dealsMapPage({
      lat: place.latitude,
      lon: place.longitude,
      layers: 'deals,merchants',
      business: business.business_id,
    })
  const headline = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasArrived && document.activeElement === document.body) headline.current?.focus({ preventScroll: true })
  }, [hasArrived])
  useOnceShown(business.business_id, () => {
    void ask(callByFetch, viewBusiness, { ...asOwner(), params: { business_id: business.business_id } })
  })

  return (
    <article className="shell grid grid-cols-1 gap-10 py-4 md:gap-14 md:py-8">
      <PageHead
        title={business.business_name}
        description={business.description?.trim() || t('descriptionMeta', { name: business.business_name })}
        address={businessPage(business.business_id)}
        picture={{
          path: sharingPicture('business', { id: business.business_id, updated_at: business.updated_at }),
          alt: business.business_name,
        }}
        data={
          import.meta.env.SSR
            ? (site) => [
                businessData(
                  site,
                  business,
                  (deals ?? []).map((deal) => offerData(site, deal)),
                ),
                breadcrumbs(site, [
                  { name: t('merchants'), path: page.businesses },
                  { name: business.business_name, path: businessPage(business.business_id) },
                ]),
              ]
            : undefined
        }
      />
      <div className="grid grid-cols-1 gap-4 md:gap-6">
        <Breadcrumb
          label={t('way')}
          crumbs={[{ label: t('merchants'), href: page.businesses }, { label: business.business_name }]}
        />
        {!business.claimed && (
          <Notice action={<ButtonLink href={page.businessSignup}>{t('claim')}</ButtonLink>}>{t('unclaimed')}</Notice>
        )}
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:gap-12">
          <div className="relative aspect-[4/3] overflow-clip rounded-6 border-2 border-rule bg-well lg:self-start">
            <BusinessLogo business={business} alt={t('logo', { name: business.business_name })} eager />
            <SaveSlot kind="business" id={business.business_id} name={business.business_name} />
          </div>
          <div className="@container grid grid-cols-1 content-start gap-5">
            <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <CategoryTag category={category}>{categoryName(category)}</CategoryTag>
              {business.subscription_tier !== 'FREE' && (
                <Badge tone="lantern" icon={<StarShape />}>
                  {t('premium')}
                </Badge>
              )}
              <OpenState state={open.state}>{open.text}</OpenState>
            </p>
            <h1 ref={headline} tabIndex={-1} className={headlineType(business.business_name)}>
              {business.business_name}
            </h1>
            <p className="max-w-prose text-lg whitespace-pre-line [overflow-wrap:anywhere]">
              {business.description || <span className="text-ink-soft">{t('noDescription')}</span>}
            </p>
            <section aria-labelledby="details" className="grid gap-3 border-t-2 border-rule pt-4">
              <h2 id="details" className="text-xl">
                {t('details')}
              </h2>
              <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
                <Detail name={t('address')}>{business.address || t('notProvided')}</Detail>
                {business.open_hours && (
                  <Detail name={t('openHours')}>
                    <OpeningHours business={business} />
                  </Detail>
                )}
                {business.phone && (
                  <Detail name={t('phone')}>
                    <a
                      href={`tel:${business.phone.replace(/[^\d+]/g, '')}`}
                      className="link inline-flex min-h-11 items-center"
                    >
                      {business.phone}
                    </a>
                  </Detail>
                )}
                {business.website && /^https?:\/\//i.test(business.website) && (
                  <Detail name={t('website')}>
                    <a
                      href={business.website}
                      rel="noreferrer nofollow ugc"
                      className="link inline-flex min-h-11 items-center gap-1.5 [overflow-wrap:anywhere]"
                    >
                      {business.website.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}
                      <ExternalLink aria-hidden="true" className="size-4 shrink-0" />
                    </a>
                  </Detail>
                )}
              </dl>
            </section>
          </div>
        </div>
      </div>

      {business.photos.length > 0 && (
        <ul aria-label={t('photos')} className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-5">
          {business.photos.map((path, at) => (
            <li key={path} className="relative aspect-[4/3] overflow-clip rounded-6 border-2 border-rule bg-well">
              <img
                src={path}
                alt={t('photo', { n: at + 1, name: business.business_name })}
                width={800}
                height={600}
                loading="lazy"
                decoding="async"
                className="absolute inset-0 size-full object-cover"
              />
            </li>
          ))}
        </ul>
      )}

      <section aria-labelledby="offers" className="grid gap-5">
        <WaveRule className="text-coral" />
        <h2 id="offers">{t('offers')}</h2>
        {deals === null ? (
          <Notice kind="error">{t('dealsFailed')}</Notice>
        ) : deals.length === 0 ? (
          <div className="grid justify-items-start gap-4">
            <p className="text-lg text-ink-soft">{t('noDeals')}</p>
            <ButtonLink href={page.deals}>{t('allDeals')}</ButtonLink>
          </div>
        ) : (
          <ul className="grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-3 xl:grid-cols-4">
            {deals.map((deal) => (
              <li key={deal.deal_id} className="min-w-0">
                <OfferCard deal={deal} />
              </li>
            ))}
          </ul>
        )}
      </section>

      <BusinessRatings key={business.business_id} businessId={business.business_id} told={ratings} />

      <section aria-labelledby="location" className="grid gap-4">
        <h2 id="location">{t('location')}</h2>
        {place ? (
          <>
            <p>
              {business.address && <span className="block text-lg">{business.address}</span>}
              <span className="figure text-ink-soft">{coordinates(place)}</span>
            </p>
            <p className="flex flex-wrap gap-3 print-hidden">
              <Directions to={place} name={business.business_name}>
                {t('directions')}
              </Directions>
              {mapAt && (
                <ButtonLink href={mapAt} {...mapIntent} icon={<Map aria-hidden="true" className="size-5" />}>
                  {t('map')}
                </ButtonLink>
              )}
            </p>
            {mapAt && <PlaceMap at={place} href={mapAt} theme={theme} />}
          </>
        ) : (
          <p className="text-lg text-ink-soft">{t('noLocation')}</p>
        )}
      </section>
    </article>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-sm font-semibold text-ink-soft">{name}</dt>
      <dd className="font-semibold whitespace-pre-line [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
