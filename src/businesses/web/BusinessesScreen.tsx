import { useEffect, useRef } from 'react'
import { ArrowLeft, ArrowRight, Tag } from 'lucide-react'
import { Form, useLoaderData, useNavigationType, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { askForgivingly } from '../../kit/browser/ask-forgivingly.ts'
import { ask, pageContext } from '../../kit/browser/asking.ts'
import { distance } from '../../kit/browser/measures.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { StarShape } from '../../brand/Badge.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Card, CardLink } from '../../kit/browser/ui/Card.tsx'
import { categoryText, toCategory } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { SearchField } from '../../kit/browser/ui/SearchBar.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'
import { itemList } from '../../kit/browser/structured-data.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { distanceKm, type Position } from '../../kit/shared/geo.ts'
import { businessesPage, businessPage, page } from '../../site-map.ts'
import type { BusinessByName } from '../contract.ts'
import { BusinessLogo } from './BusinessLogo.tsx'
import { listBusinesses, listLetters } from './calls.ts'

const pageSize = 60

/** Merchants from A to Z, sixty a page. */
async function load({ context, request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const said = (name: string) => searchParams.get(name)?.trim() || undefined
  const [{ answer, query, faults }, letters] = await Promise.all([
    askForgivingly(context, listBusinesses, {
      q: said('q'),
      limit: said('limit') ?? String(pageSize),
      from: said('from')?.toLowerCase(),
      after: said('after'),
      before: said('before'),
      offset: said('offset'),
    }),
    // what a search finds is walked page by page
    said('q') ? null : ask(context, listLetters),
  ])
  const { q, from, after, before, offset } = query
  const limit = said('limit') && query['limit']
  const isFirst = [from, after, before, offset].every((start) => start === undefined)
  // who came by a letter is on no page with a number
  const named = Math.trunc(Number(said('page'))) || 0
  const pageNumber = isFirst ? 1 : named > 0 && named < 10_000 ? named : null
  return {
    businesses: answer.body.map(({ latitude, longitude, ...business }) => ({
      ...business,
      whereabouts:
        business.address || latitude === null || longitude === null
          ? null
          : seenFrom(context.get(pageContext).festival, { latitude, longitude }),
    })),
    total: answer.total ?? answer.body.length,
    isCapped: answer.totalCapped,
    next: answer.next,
    prev: answer.prev,
    letters: letters?.answer && [...(letters.answer.body.before_a ? [other] : []), ...letters.answer.body.letters],
    q,
    from,
    limit,
    faults,
    pageNumber,
    isFirst,
    address: businessesPage({
      q,
      limit,
      from,
      after,
      before,
      offset,
      page: isFirst ? undefined : pageNumber?.toString(),
    }),
  }
}
export { load as loader, load as clientLoader }

type Shown = Awaited<ReturnType<typeof load>>

export default function BusinessesScreen() {
  const shown = useLoaderData<typeof load>()
  const { businesses, q, faults, isFirst } = shown
  const t = useTranslations('businesses')
  const groups = byLetter(businesses)
  const form = useFormInStep(q)
  return (
    <>
      <PageHead
        title={t('title')}
        description={t('description')}
        address={shown.address}
        hidden={!!q}
        kind="CollectionPage"
        data={
          import.meta.env.SSR
            ? (site) =>
                itemList(
                  site,
                  groups.flatMap(([, members]) => members.map(({ business_id }) => businessPage(business_id))),
                )
            : undefined
        }
      />
      <section className="river relative overflow-clip border-b-2 border-rule bg-deep">
        <div className="shell relative grid grid-cols-1 gap-5 pt-8 pb-14 md:pb-20 lg:grid-cols-[auto_minmax(0,1fr)] lg:items-end lg:gap-x-12 lg:pt-12">
          <h1 className="poster-type text-paper">{t('title')}</h1>
          <search>
            <Form ref={form} action={page.businesses} className="flex w-full" autoComplete="off" preventScrollReset>
              <SearchField
                size="lg"
                name="q"
                maxLength={100}
                label={t('searchLabel')}
                button={t('search')}
                placeholder={t('placeholder')}
                defaultValue={q}
              />
            </Form>
          </search>
        </div>
        <WaveRule className="absolute inset-x-0 bottom-1 text-coral md:bottom-4" />
      </section>

      <div className="shell grid grid-cols-1 gap-6 py-6 md:py-10">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <output className="figure text-xl [overflow-wrap:anywhere]">
            {shown.isCapped
              ? t('moreThan', { n: shown.total })
              : q
                ? t('countFor', { n: shown.total, q })
                : t('count', { n: shown.total })}
          </output>
          {q && (
            <a href={page.businesses} className="link inline-flex min-h-11 items-center font-semibold">
              {t('showAll')}
            </a>
          )}
        </div>
        {Object.keys(faults).length > 0 && (
          <Notice kind="warn" title={t('dropped')}>
            <ul>
              {Object.entries(faults).map(([name, text]) => (
                <li key={name}>
                  <span className="font-semibold">{t.has(`field.${name}`) ? t(`field.${name}`) : name}:</span> {text}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        <Letters {...shown} />
        {groups.map(([letter, members]) => (
          <section
            key={letter}
            aria-labelledby={idOf(letter)}
            className="grid grid-cols-1 gap-3 border-t-2 border-rule pt-4 md:grid-cols-[5rem_minmax(0,1fr)] lg:grid-cols-[8rem_minmax(0,1fr)]"
          >
            <h2 id={idOf(letter)} className="text-3xl leading-none md:sticky md:top-24 md:self-start md:text-4xl">
              {letter}
            </h2>
            <ul className="grid gap-3 lg:grid-cols-2">
              {members.map((business) => (
                <li key={business.business_id} className="min-w-0">
                  <BusinessRow business={business} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {businesses.length === 0 && <NobodyFound q={q} isFirst={isFirst} />}
        <Pages {...shown} />
      </div>
    </>
  )
}

const other = '#'
const alphabet = [other, ...'abcdefghijklmnopqrstuvwxyz']

/** A to Z across all pages; on a list of one page the way to a letter is down. What no name begins with leads nowhere. */
function Letters({ letters, from, limit, isFirst, next }: Shown) {
  const t = useTranslations('businesses')
  if (!letters || letters.length <= 2) return null
  const isWhole = isFirst && !next
  return (
    <nav aria-label={t('letters')}>
      <ul className="flex flex-wrap gap-1 xl:gap-0">
        {alphabet.map((letter) => (
          <li key={letter} className={letterField}>
            {letters.includes(letter) ? (
              <a
                href={
                  isWhole
                    ? `#${idOf(letter)}`
                    : letter === other
                      ? businessesPage({ limit })
                      : businessesPage({ limit, from: letter })
                }
                aria-current={letter === from ? 'true' : undefined}
                className={`${letterField} rounded-6 border-2 border-transparent text-ink no-underline hover:border-rule hover:bg-well aria-[current]:border-rule aria-[current]:bg-well`}
              >
                {letter.toUpperCase()}
              </a>
            ) : (
              <span className="font-normal text-ink-soft">{letter.toUpperCase()}</span>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

const letterField = 'figure grid size-11 place-items-center text-lg'

/** The field follows the address (back, "show all"), but never what somebody is typing. */
function useFormInStep(q: string | undefined) {
  const form = useRef<HTMLFormElement>(null)
  const wentBack = useNavigationType() === 'POP'
  const isAlive = useRef(false)
  useEffect(() => {
    const field = form.current?.querySelector('input')
    // what was typed before the page came alive stays
    if (isAlive.current && field && (field !== document.activeElement || wentBack)) field.value = q ?? ''
    isAlive.current = true
  }, [q, wentBack])
  return form
}

type Listed = Omit<BusinessByName, 'latitude' | 'longitude'> & { whereabouts: ReturnType<typeof seenFrom> | null }

/** Where somebody is who gives no address: of a name that many have, it tells one from the other. */
function seenFrom(centre: Position, place: Position) {
  const north = place.latitude - centre.latitude
  const east = (place.longitude - centre.longitude) * Math.cos((centre.latitude * Math.PI) / 180)
  const eighth = Math.round((Math.atan2(east, north) / Math.PI) * 4)
  return { km: distanceKm(centre, place), direction: directions.at(eighth % 8)! }
}

const directions = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const

/** A merchant in one look: face, name, address or whereabouts, open or not, and how many deals are live. */
function BusinessRow({ business }: { business: Listed }) {
  const t = useTranslations('businesses')
  const categoryName = useTranslations('categories')
  const when = useWhen()
  const category = toCategory(business.category)
  const open = when.opening(business)
  return (
    <Card
      as="div"
      layout="row"
      className="h-full max-sm:grid-cols-[clamp(2.5rem,75vw-8rem,5.5rem)_minmax(0,1fr)] max-[22rem]:grid-cols-[clamp(2.5rem,75vw-8rem,4rem)_minmax(0,1fr)]"
      picture={<BusinessLogo business={business} />}
    >
      <h3 className="flex items-start gap-2 leading-tight [overflow-wrap:anywhere] max-[22rem]:text-base">
        <CategoryGlyph
          category={category}
          label={categoryName(category)}
          className={`mt-0.5 size-5 ${categoryText[category]}`}
        />
        <CardLink href={businessPage(business.business_id)}>{business.business_name}</CardLink>
        {business.subscription_tier !== 'FREE' && (
          <span className="mt-0.5 shrink-0">
            <StarShape className="size-5 fill-lantern stroke-lantern-text" />
            <span className="sr-only">{t('premium')}</span>
          </span>
        )}
      </h3>
      {(business.address || business.whereabouts) && (
        <p className="line-clamp-2 text-sm text-ink-soft">
          {business.address ||
            t('whereabouts', {
              distance: distance(business.whereabouts!.km),
              direction: business.whereabouts!.direction,
            })}
        </p>
      )}
      <p className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-1">
        <OpenState state={open.state}>{open.text}</OpenState>
        {business.live_deals > 0 && (
          <span className="inline-flex items-center gap-1.5 text-sm font-semibold text-action-text">
            <Tag aria-hidden="true" className="size-4" />
            {t('deals', { n: business.live_deals })}
          </span>
        )}
      </p>
    </Card>
  )
}

function NobodyFound({ q, isFirst }: { q: string | undefined; isFirst: boolean }) {
  const t = useTranslations('businesses')
  const isEmpty = !q && isFirst
  return (
    <EmptyState
      title={isEmpty ? t('noneYet') : t('nothing')}
      action={
        <ButtonLink variant="primary" href={isEmpty ? page.businessSignup : page.businesses}>
          {isEmpty ? t('signup') : t('showAll')}
        </ButtonLink>
      }
    >
      <p className="[overflow-wrap:anywhere]">{isEmpty ? t('noneYetText') : q ? t('nothingText', { q }) : null}</p>
    </EmptyState>
  )
}

function Pages({ prev, next, isFirst, pageNumber, q, limit }: Shown) {
  const t = useTranslations('businesses')
  if (!prev && !next) return null
  const at = (step: -1 | 1, start: Record<string, string>) => {
    const number = pageNumber === null ? 0 : pageNumber + step
    return businessesPage({ q, limit, ...start, page: number > 0 ? String(number) : undefined })
  }
  return (
    <nav aria-label={t('pages')} className="flex flex-wrap items-center justify-center gap-3 pt-4">
      {prev && (
        <ButtonLink
          rel="prev"
          // the second page came from the first, which has an address without a cursor
          href={pageNumber === 2 ? businessesPage({ q, limit }) : at(-1, { before: prev })}
          icon={<ArrowLeft aria-hidden="true" className="size-5" />}
        >
          {t('previous')}
        </ButtonLink>
      )}
      {!isFirst && pageNumber !== null && <span className="figure px-1">{t('pageNumber', { n: pageNumber })}</span>}
      {next && (
        <ButtonLink rel="next" href={at(1, { after: next })}>
          {t('next')}
          <ArrowRight aria-hidden="true" className="size-5" />
        </ButtonLink>
      )}
    </nav>
  )
}

/** The list, in its own order, cut at its letters, accents folded; what begins with no letter stands under "#". */
function byLetter(businesses: Listed[]): [string, Listed[]][] {
  const groups = new Map<string, Listed[]>()
  for (const business of businesses) {
    const first = business.business_name.normalize('NFKD').charAt(0).toUpperCase()
    const letter = /^[A-Z]$/.test(first) ? first : other
    groups.set(letter, [...(groups.get(letter) ?? []), business])
  }
  return [...groups]
}

const idOf = (letter: string) => `letter-${letter === other ? 'other' : letter.toLowerCase()}`
