import { use, type ReactNode } from 'react'
import CalendarPlus from 'lucide-react/icons/calendar-plus'
import Ticket from 'lucide-react/icons/ticket'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useLocale, useTranslations } from 'use-intl'
import { Badge, CategoryTag } from '../../brand/Badge.tsx'
import { toCategory } from '../../brand/category.ts'
import { ask, askOrFail, pageContext } from '../../kit/browser/ask.ts'
import { RichText } from '../../kit/browser/ui/RichText.tsx'
import { chf } from '../../kit/shared/numbers.ts'
import { isInTime, useHereAndNow } from '../../kit/browser/here-and-now.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { breadcrumbs } from '../../kit/browser/structured-data.ts'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { ThingPage, ThingTitle } from '../../kit/browser/ui/Page.tsx'
import { SaveSlot } from '../../kit/browser/ui/SaveSlot.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { WayText } from '../../kit/browser/ui/WayText.tsx'
import { useRefreshWhenStale } from '../../kit/browser/use-refresh-when-stale.ts'
import { atHead } from '../../kit/shared/calendar.ts'
import { plainText } from '../../kit/shared/rich-text.ts'
import { eventPage, eventsPage, page, sharingPicture } from '../../site-map.ts'
import { getEvent, getEventNeighbours } from '../contract.ts'
import { cardEvent, isLong, type CardEvent } from './card-event.ts'
import { EventAction } from './event-action.ts'
import { eventData } from './event-data.ts'
import { eventPicture } from './event-picture.ts'
import { placeOf, placesOnMap } from './event-place.ts'
import { EventVenue } from './EventVenue.tsx'
import { languageNames } from './language-names.ts'
import { Neighbours, Shelf } from './OtherEvents.tsx'
import { StatusBanner } from './StatusBanner.tsx'
import { useEventWhen } from './use-event-when.ts'

async function load({ context, params }: LoaderFunctionArgs) {
  const event_id = params['event_id'] ?? ''
  const [{ body: event }, around, isOnMap] = await Promise.all([
    askOrFail(context, getEvent, { params: { event_id } }),
    // the page also works without its neighbours
    ask(context, getEventNeighbours, { params: { event_id } }),
    placesOnMap(context),
  ])
  const { theme } = context.get(pageContext)
  const place = placeOf(event)
  const neighbours = around.answer?.body
  return {
    event,
    previous: neighbours?.previous ? cardEvent(neighbours.previous) : null,
    next: neighbours?.next ? cardEvent(neighbours.next) : null,
    parallel: (neighbours?.parallel ?? []).slice(0, 6).map(cardEvent),
    sets: (neighbours?.sets ?? []).map(cardEvent),
    hasMap: isOnMap(place),
    place,
    theme,
  }
}
export { load as loader, load as clientLoader }

/** `children`: parts of the page by rooms above. */
export default function EventScreen({ children }: { children?: ReactNode }) {
  const shown = useLoaderData<typeof load>()
  const { event, previous, next, parallel, sets, hasMap, place, theme } = shown
  useRefreshWhenStale(shown)
  const t = useTranslations('event')
  const say = useTranslations('events')
  const sayWay = useTranslations('way')
  const categoryName = useTranslations('categories')
  const locale = useLocale()
  const when = useEventWhen()
  const category = toCategory(event.category)
  const soon = when.soon(event)
  const here = useHereAndNow()
  const way = here.way(place ?? {})
  const isTooFar = soon?.live === true && !isInTime(way, event.ends_at, here.now)
  const { venue } = event
  const placeName = [event.stage, venue && venue.venue_name !== event.stage ? venue.venue_name : null]
    .filter(Boolean)
    .join(', ')
  const isCancelled = event.status === 'cancelled'
  const action = use(EventAction)
  const languages = languageNames(locale, event.languages)
  return (
    <ThingPage>
      <PageHead
        title={event.title}
        description={
          plainText(event.content ?? [event.description ?? '']) ||
          t('description', {
            title: event.title,
            day: when.dayOf(event),
            place: placeName || say('placeUnknown'),
          })
        }
        address={eventPage(event.event_id)}
        picture={{
          path: sharingPicture('event', { id: event.event_id, updated_at: event.updated_at }),
          alt: [event.title, placeName].filter(Boolean).join(', '),
        }}
        kind="ItemPage"
        data={
          import.meta.env.SSR
            ? (site) => [
                eventData(site, event),
                breadcrumbs(site, [
                  { name: say('title'), path: page.events },
                  { name: when.day(event.festival_day), path: eventsPage({ day: event.festival_day }) },
                  { name: event.title, path: eventPage(event.event_id) },
                ]),
              ]
            : undefined
        }
      />
      <div className="grid grid-cols-1 gap-4 md:gap-6">
        <Breadcrumb
          label={t('way')}
          crumbs={[
            { label: say('title'), href: page.events },
            { label: when.day(event.festival_day), href: eventsPage({ day: event.festival_day }) },
          ]}
        />
        <StatusBanner event={event} />
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,6fr)] lg:gap-12">
          <div className="relative aspect-[4/3] overflow-clip rounded-6 border-2 border-rule bg-well lg:self-start">
            <img
              src={eventPicture(event)}
              alt=""
              width={800}
              height={600}
              fetchPriority="high"
              className="absolute inset-0 size-full object-cover"
            />
          </div>
          <div className="grid grid-cols-1 content-start gap-5">
            <div className="@container grid grid-cols-1 gap-3">
              <p className="flex flex-wrap gap-2">
                <CategoryTag category={category}>{categoryName(category)}</CategoryTag>
                {event.family_friendly && <Badge tone="moss">{say('family')}</Badge>}
                {event.age_min !== null && event.age_min > 0 && <Badge>{say('age', { n: event.age_min })}</Badge>}
              </p>
              <ThingTitle isOff={isCancelled}>{event.title}</ThingTitle>
              {event.performers.length > 0 && (
                <ul className="flex flex-wrap gap-x-4">
                  {event.performers.map(({ performer_id, performer_name }) => (
                    <li
                      key={performer_id}
                      className="relative min-h-11 content-center pr-12 text-lg font-semibold [overflow-wrap:anywhere]"
                    >
                      {performer_name}
                      <SaveSlot kind="performer" id={performer_id} name={performer_name} />
                    </li>
                  ))}
                </ul>
              )}
            </div>
            <p className="grid gap-1 border-y-2 border-rule py-4">
              <time
                dateTime={event.all_day ? event.festival_day : event.starts_at}
                className={`figure text-2xl ${isCancelled ? 'line-through' : ''}`}
              >
                {when.dayOf(event)}, <span className="inline-block">{when.span(event)}</span>
              </time>
              {soon && <OpenState state={soon.live ? 'live' : 'soon'}>{soon.text}</OpenState>}
            </p>
            {action?.({ ...event, ...(place && { place }) }, true, when.isOver(event))}
            <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2">
              <Fact name={t('where')}>
                <span className="block">{placeName || say('placeUnknown')}</span>
                {venue?.address && <span className="block font-normal text-ink-soft">{venue.address}</span>}
                {way && (
                  <span className="block font-normal text-ink-soft">
                    <WayText way={way} />
                    {isTooFar && <Badge tone="lantern">{sayWay('tooFar')}</Badge>}
                  </span>
                )}
              </Fact>
              {event.price_chf !== null && (
                <Fact name={t('price')}>{event.price_chf === 0 ? say('free') : chf(event.price_chf)}</Fact>
              )}
              {languages && <Fact name={t('languages')}>{atHead(languages)}</Fact>}
              {event.saves !== null && <Fact name={t('saves')}>{t('saved', { n: event.saves })}</Fact>}
            </dl>
            <p className="flex flex-wrap gap-3 max-sm:[&>*]:grow print-hidden">
              {event.ticket_url && /^https?:\/\//.test(event.ticket_url) && !isCancelled && (
                <ButtonLink
                  href={event.ticket_url}
                  rel="noreferrer"
                  icon={<Ticket aria-hidden="true" className="size-5" />}
                >
                  {t('tickets')}
                </ButtonLink>
              )}
              {!isCancelled && (
                <ButtonLink
                  href={`/api/events.ics?event=${event.event_id}`}
                  icon={<CalendarPlus aria-hidden="true" className="size-5" />}
                >
                  {t('calendar')}
                </ButtonLink>
              )}
            </p>
          </div>
        </div>
      </div>

      <div className="grid grid-cols-1 gap-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,6fr)] lg:gap-12">
        <section aria-labelledby="about" className="grid content-start gap-3">
          <h2 id="about">{t('about')}</h2>
          {event.description ? (
            <div className="text-lg">
              <RichText content={event.content ?? [event.description]} />
            </div>
          ) : (
            <p className="text-lg text-ink-soft">{t('noDescription')}</p>
          )}
        </section>
        <EventVenue event={event} hasMap={hasMap} theme={theme} />
      </div>

      <Neighbours previous={previous} next={next} />
      {children}
      <Shelf id="sets" title={t('sets')} events={sets} dayOf={(each) => when.shortDay(when.isoDay(each.starts_at))} />
      <Shelf
        id="parallel"
        title={t('parallel')}
        events={parallel}
        // of an event of days, the others may be on any of them
        {...(isLong(event) && { dayOf: (each: CardEvent) => when.shortDay(when.isoDay(each.starts_at)) })}
      />
    </ThingPage>
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
