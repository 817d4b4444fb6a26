import 'texts:businesses,categories,printedHead'
import { useEffect, useRef, type ReactNode } from 'react'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { Form, useLoaderData, useNavigationType } from 'react-router'
import { useTranslations } from 'use-intl'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { PrintedHead } from '../../kit/browser/ui/PrintedHead.tsx'
import { SearchField } from '../../kit/browser/ui/SearchBar.tsx'
import { ListPage } from '../../kit/browser/ui/Page.tsx'
import { itemList } from '../../kit/browser/structured-data.ts'
import { businessesPage, businessPage, page, searchPage } from '../../site-map.ts'
import { BusinessRow } from './BusinessRow.tsx'
import { useRefreshWhenStale } from '../../kit/browser/use-refresh-when-stale.ts'
import { byLetter, idOf } from './by-letter.ts'
import { Letters } from './Letters.tsx'
import { load, type BusinessListData } from './load-businesses.ts'

export { load as loader, load as clientLoader }

/** `answer`: what a room above says to the words of the search. */
export default function BusinessesScreen({ answer }: { answer?: ReactNode }) {
  const shown = useLoaderData<typeof load>()
  useRefreshWhenStale(shown)
  const { businesses, q, faults, isFirst } = shown
  const t = useTranslations('businesses')
  const frame = useTranslations('frame')
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
      <ListPage
        title={t('title')}
        beside={
          <search className="min-w-[min(100%,20rem)] flex-1">
            <Form ref={form} action={page.businesses} className="flex w-full" autoComplete="off" preventScrollReset>
              <SearchField
                name="q"
                maxLength={100}
                label={t('searchLabel')}
                button={t('search')}
                placeholder={t('placeholder')}
                defaultValue={q}
              />
            </Form>
          </search>
        }
      >
        <PrintedHead path={shown.address} />
        {answer}
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
        {businesses.length === 0 && !answer && <NobodyFound q={q} isFirst={isFirst} />}
        <Pages {...shown} />
        {q && (
          <p>
            <a
              href={searchPage({ q, first: 'merchants' })}
              className="link inline-flex min-h-11 items-center font-semibold"
            >
              {frame('searchAll', { q })}
            </a>
          </p>
        )}
      </ListPage>
    </>
  )
}

/** Sets the field when the address changes (back, "show all"), but not while somebody types in it. */
function useFormInStep(q: string | undefined) {
  const form = useRef<HTMLFormElement>(null)
  const wentBack = useNavigationType() === 'POP'
  const isAlive = useRef(false)
  useEffect(() => {
    const field = form.current?.querySelector('input')
    // keeps what was typed before hydration
    if (isAlive.current && field && (field !== document.activeElement || wentBack)) field.value = q ?? ''
    isAlive.current = true
  }, [q, wentBack])
  return form
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

function Pages({ prev, next, isFirst, pageNumber, q, limit }: BusinessListData) {
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
          // page 1 has an address without a cursor
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
