import { memo, useEffect, useRef, type ReactNode } from 'react'
import Map from 'lucide-react/icons/map'
import { useTranslations } from 'use-intl'
import { asOwner, useSession, useStored } from '../../../accounts/web/session.ts'
import { CategoryTag, PremiumBadge } from '../../../brand/Badge.tsx'
import { toCategory } from '../../../brand/category.ts'
import { businessData } from '../../../businesses/web/business-data.ts'
import { BusinessLogo } from '../../../businesses/web/BusinessLogo.tsx'
import { viewBusiness } from '../../../businesses/contract.ts'
import { OpeningHours } from '../../../businesses/web/OpeningHours.tsx'
import { mostListed } from '../../../deals/limits.ts'
import { offerData } from '../../../deals/web/deal-data.ts'
import { OfferCard } from '../../../deals/web/OfferCard.tsx'
import { ask } from '../../../kit/browser/ask.ts'
import { callByFetch } from '../../../kit/browser/call-endpoint.ts'
import { coordinates } from '../../../kit/browser/directions.ts'
import { importWithRetry } from '../../../kit/browser/import-with-retry.ts'
import { late, suspended } from '../../../kit/browser/late.tsx'
import { useOnceShown } from '../../../kit/browser/once-shown.ts'
import { PageHead } from '../../../kit/browser/PageHead.tsx'
import { breadcrumbs } from '../../../kit/browser/structured-data.ts'
import { Breadcrumb } from '../../../kit/browser/ui/Breadcrumb.tsx'
import { ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { ThingPage, ThingTitle } from '../../../kit/browser/ui/Page.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { OpenState } from '../../../kit/browser/ui/OpenState.tsx'
import { SaveSlot } from '../../../kit/browser/ui/SaveSlot.tsx'
import { WaveRule } from '../../../kit/browser/ui/WaveRule.tsx'
import { useWhen } from '../../../kit/browser/when.ts'
import { Directions } from '../../../map/web/Directions.tsx'
import { mapIntent } from '../../../map/web/load-engine.ts'
import { PlaceMap } from '../../../map/web/PlaceMap.tsx'
import BusinessRatings from '../../../ratings/web/BusinessRatings.tsx'
import { businessPage, dealsMapPage, dealsPage, page, sharingPicture } from '../../../site-map.ts'
import { useChoices } from '../../root.tsx'
import { placeOf, type Profile } from './profile.ts'

/** As below a deal: hydrated after the rest; servers render it at once. */
const Ratings = import.meta.env.SSR
  ? suspended(BusinessRatings)
  : memo(late(() => importWithRetry(() => import('../../../ratings/web/BusinessRatings.tsx'))))

/** `hasArrived`: the page replaces the loading line, so it takes the focus that was there. */
export function BusinessPage({
  business,
  deals,
  hasMap,
  ratings,
  hasArrived = false,
}: Profile & { hasArrived?: boolean }) {
  const t = useTranslations('business')
  const frame = useTranslations('frame')
  const categoryName = useTranslations('categories')
  const when = useWhen()
  const open = when.opening(business)
  const category = toCategory(business.category)
  const place = placeOf(business)
  const { theme } = useChoices()
  const businessId = useStored('businessId')
  const isOwn = useSession() === 'business' && businessId === business.business_id
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
    <ThingPage>
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
              {business.subscription_tier !== 'FREE' && <PremiumBadge>{t('premium')}</PremiumBadge>}
              <OpenState state={open.state}>{open.text}</OpenState>
            </p>
            <ThingTitle ref={headline}>{business.business_name}</ThingTitle>
            <p className="max-w-prose text-lg whitespace-pre-line [overflow-wrap:anywhere]">
              {business.description || <span className="text-ink-soft">{t('noDescription')}</span>}
            </p>
            {isOwn && (
              <p>
                <ButtonLink href={page.editBusiness} variant="primary">
                  {frame('editProfile')}
                </ButtonLink>
              </p>
            )}
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
                      className="link inline-flex min-h-11 items-center [overflow-wrap:anywhere]"
                    >
                      {business.website.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}
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
        {deals !== null && deals.length >= mostListed && (
          <p className="text-ink-soft">
            {t('atMost', { n: mostListed })}{' '}
            <a href={dealsPage({ q: business.business_name })} className="link">
              {t('allDeals')}
            </a>
          </p>
        )}
      </section>

      <Ratings key={business.business_id} businessId={business.business_id} ratings={ratings} />

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
    </ThingPage>
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
