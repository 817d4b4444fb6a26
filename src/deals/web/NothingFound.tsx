import { useTranslations } from 'use-intl'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { businessesPage, page } from '../../site-map.ts'
import { dealsWith, defaultRadius, isNarrowed, isOn, radiusChoices, withoutPlace } from './deal-query.ts'
import type { DealList } from './load-deals.ts'
import { NextDeal } from './NextDeal.tsx'

/** For a search without results: what to try next. */
export default function NothingFound({ query, km, isNear, isFirst, merchants = 0, isMany, nextUp }: DealList) {
  const t = useTranslations('dealList')
  const name = useTranslations('categories')
  const radius = query.radius ?? defaultRadius
  // the circle of the search does not reach the festival
  const isFar = query.lat !== undefined && km > Number(radius)
  const wider = radiusChoices.find((each) => Number(each) > Math.max(Number(radius), isFar ? km : 0))
  const known =
    query.category && /^[a-z]+$/.test(query.category) && name.has(query.category)
      ? name(query.category)
      : query.category
  const ways = [
    merchants > 0 && {
      label: t(isMany ? 'manyMerchantsNamed' : 'merchantsNamed', { n: merchants }),
      href: businessesPage({ q: query.q }),
    },
    !isFirst && { label: t('first'), href: dealsWith(query, {}) },
    isOn(query.openNow) && { label: t('alsoClosed'), href: dealsWith(query, { openNow: null }) },
    query.max_price && { label: t('anyPrice'), href: dealsWith(query, { max_price: null }) },
    isFar && { label: t('aroundFestival'), href: dealsWith(query, { ...withoutPlace, near: 'centre' }) },
    isNear && wider && { label: t('widen', { km: wider }), href: dealsWith(query, { radius: wider }) },
    isNear && !wider && { label: t('everywhere'), href: dealsWith(query, withoutPlace) },
    query.category &&
      query.q && { label: t('notOnly', { category: known ?? '' }), href: dealsWith(query, { category: null }) },
  ].filter((each) => !!each)
  const narrowed = isNarrowed({ ...query, isNear })
  return (
    <EmptyState
      title={narrowed ? t('nothing') : t('noneYet')}
      action={
        <p className="flex flex-wrap justify-center gap-3">
          {ways.slice(0, 2).map((way, index) => (
            <ButtonLink key={way.href} href={way.href} variant={index === 0 ? 'primary' : 'secondary'}>
              {way.label}
            </ButtonLink>
          ))}
          {narrowed ? (
            <ButtonLink href={page.deals} variant={ways.length === 0 ? 'primary' : 'secondary'}>
              {t('allDeals')}
            </ButtonLink>
          ) : (
            <ButtonLink href={page.businesses} variant="primary">
              {t('toMerchants')}
            </ButtonLink>
          )}
        </p>
      }
    >
      {nextUp && <NextDeal deal={nextUp} />}
      <p className="[overflow-wrap:anywhere]">
        {narrowed ? (query.q ? t('nothingFor', { q: query.q }) : t('nothingText')) : t('noneYetText')}
      </p>
    </EmptyState>
  )
}
