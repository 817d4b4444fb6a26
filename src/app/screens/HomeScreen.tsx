import 'texts:categories,deals,events,festival,home'
import type { ReactNode } from 'react'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { DealCard } from '../../deals/web/DealCard.tsx'
import { NowLink } from '../../deals/web/NowLink.tsx'
import { EventCard } from '../../events/web/EventCard.tsx'
import { usePosition } from '../../kit/browser/here-and-now.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Card, CardLink, CardPicture } from '../../kit/browser/ui/Card.tsx'
import { categoryFill, type Category } from '../../brand/category.ts'
import { CategoryGlyph } from '../../brand/CategoryGlyph.tsx'
import { FestivalDate } from '../../brand/FestivalDate.tsx'
import { RiverScene } from '../../brand/RiverScene.tsx'
import { SearchBar } from '../../kit/browser/ui/SearchBar.tsx'
import { useRefreshWhenStale } from '../../kit/browser/use-refresh-when-stale.ts'
import { dealsPage, page, posterImage } from '../../site-map.ts'
import { useChoices } from '../root.tsx'
import { Tonight } from './Tonight.tsx'
import { dealsShown, festivalData, websiteData } from './home-data.ts'
import { load } from './load-home.ts'
import { withDistance } from '../../deals/web/with-distance.ts'

/** Loaded apart, since the server has answered the first time. */
const loadInBrowser = async (args: LoaderFunctionArgs) => (await import('./load-home.ts')).load(args)
export { load as loader, loadInBrowser as clientLoader }

export default function HomeScreen() {
  const t = useTranslations('home')
  const shown = useLoaderData<typeof load>()
  const { acts, tonight, featured: deals, upcoming } = shown
  useRefreshWhenStale(shown)
  const { festival } = useChoices()
  const here = usePosition()
  return (
    <>
      <PageHead
        title={t('title')}
        description={t('description')}
        address={page.home}
        data={import.meta.env.SSR ? (site) => [websiteData(site), ...festivalData(site, festival)] : undefined}
      />
      <Hero>
        <Tonight acts={acts} deals={tonight} className="lg:col-start-2 lg:row-span-2 lg:self-center" />
      </Hero>
      <div className="shell grid gap-14 py-12 md:gap-20 md:py-20">
        <section aria-labelledby="explore" className="grid gap-5 md:gap-7">
          <h2 id="explore" className="text-3xl">
            {t('explore')}
          </h2>
          <Categories />
        </section>
        <Wall
          id="featured"
          title={t('featured')}
          all={{ href: page.deals, label: t('allDeals') }}
          columns="lg:grid-cols-4"
        >
          {deals.map((deal) => (
            <DealCard key={deal.deal_id} deal={here ? withDistance(deal, here) : deal} headingLevel="h3" />
          ))}
          {Array.from({ length: dealsShown - deals.length }, (_, place) => (
            <Placeholder
              key={place}
              href={page.deals}
              picture={posterImage('deal', { id: `next-${place}`, category: places[place]!, title: '' })}
              title={t('nextDeal')}
              text={t(`nextDealText.${places[place]!}`)}
            />
          ))}
        </Wall>
        <Wall
          id="upcoming"
          title={t('upcoming')}
          all={{ href: page.events, label: t('allEvents') }}
          columns="lg:grid-cols-3"
        >
          {upcoming.map((event) => (
            <EventCard key={event.event_id} event={event} />
          ))}
          {programme.slice(upcoming.length).map((line, place) => (
            <Placeholder
              key={line}
              href={page.events}
              picture={posterImage('event', { id: `programme-${place}`, category: 'music', title: '' })}
              title={t('programmeSoon')}
              text={t(line)}
            />
          ))}
        </Wall>
      </div>
    </>
  )
}

/** Categories, and so colours, of placeholders for deals. */
const places = ['food', 'nightlife', 'shopping', 'drinks'] as const
const programme = ['programmeWho', 'programmeWhere', 'programmePlan'] as const

function Hero({ children }: { children: ReactNode }) {
  const t = useTranslations('home')
  const { festival } = useChoices()
  return (
    <section data-page="poster" className="river relative overflow-clip bg-river">
      <div className="shell relative z-10 grid grid-cols-1 gap-4 py-4 sm:py-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,30rem)] lg:content-center lg:gap-x-12 lg:py-10">
        <div className="grid gap-3 lg:gap-4 lg:self-end">
          <p className="figure flex flex-wrap gap-x-3 text-lantern lg:text-lg">
            {t('overline', { name: festival.name, edition: festival.edition })}
            {festival.days && <FestivalDate days={festival.days} className="text-paper" />}
          </p>
          <h1 className="max-w-[8.5em] text-paper lg:max-w-[11em]">{t('headline')}</h1>
          <p className="max-w-[44ch] leading-snug text-balance text-on-deep lg:text-lg">
            {t('tagline', { name: festival.name, edition: festival.edition })}
          </p>
          <SearchBar
            className="max-w-xl"
            size="lg"
            action={page.search}
            label={t('searchLabel')}
            button={t('searchButton')}
            placeholder={t('searchPlaceholder')}
          />
        </div>
        {children}
        <NowLink as="button" />
      </div>
      <RiverScene className="absolute top-0 left-1/2 hidden h-full w-1/2 lg:block" />
    </section>
  )
}

function Categories() {
  const t = useTranslations('home')
  const tiles: { category: Category; href: string; label: string }[] = [
    { category: 'food', href: dealsPage({ category: 'food' }), label: t('food') },
    { category: 'music', href: page.events, label: t('events') },
    { category: 'nightlife', href: dealsPage({ category: 'nightlife' }), label: t('nightlife') },
    { category: 'shopping', href: dealsPage({ category: 'shopping' }), label: t('shopping') },
  ]
  return (
    <ul className="grid grid-cols-2 gap-3 sm:gap-5 lg:grid-cols-4">
      {tiles.map(({ category, href, label }) => (
        <li key={category}>
          <a
            href={href}
            className={`group relative flex aspect-square items-end overflow-clip rounded-6 border-2 border-night p-2.5 no-underline focus-visible:overflow-visible sm:aspect-[3/2] sm:p-4 lg:aspect-square ${categoryFill[category]}`}
          >
            <CategoryGlyph
              category={category}
              className="absolute top-[6%] right-[6%] h-auto w-[60%] transition-transform duration-200 group-hover:-rotate-6 sm:max-lg:w-[44%] lg:w-[66%]"
            />
            <span className="relative min-w-0 font-display text-lg leading-none font-extrabold wrap-anywhere hyphens-auto sm:text-xl">
              {label}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function Wall({
  id,
  title,
  all,
  columns,
  children,
}: {
  id: string
  title: string
  all: { href: string; label: string }
  columns: string
  children: ReactNode
}) {
  return (
    <section aria-labelledby={id} className="grid gap-5 md:gap-7">
      <div className="flex flex-wrap items-end justify-between gap-x-2 gap-y-1">
        <h2 id={id} className="text-3xl">
          {title}
        </h2>
        <a href={all.href} className="link flex min-h-11 items-center font-semibold">
          {all.label}
        </a>
      </div>
      <div className={`grid gap-3 sm:grid-cols-2 sm:gap-5 ${columns}`}>{children}</div>
    </section>
  )
}

/** A card in place of a deal or event that does not exist yet. */
function Placeholder({ href, picture, title, text }: { href: string; picture: string; title: string; text: string }) {
  return (
    <Card layout="auto" className="border-dashed" picture={<CardPicture src={picture} />}>
      <h3>
        <CardLink href={href}>{title}</CardLink>
      </h3>
      <p className="text-sm text-ink-soft">{text}</p>
    </Card>
  )
}
