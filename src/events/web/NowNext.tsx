import { useTranslations } from 'use-intl'
import { CardLink } from '../../kit/browser/ui/Card.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { eventPage } from '../../site-map.ts'
import { overAt, type LineEvent } from './card-event.ts'
import { useEventWhen } from './use-event-when.ts'

export interface StageNow {
  stage_id: string
  stage: string
  now: LineEvent | null
  next: LineEvent | null
}

/** What stages play at `at` (ms since 1970), worked out from an older answer; stages with nothing are left out. */
export function running(stages: readonly StageNow[], at: number): StageNow[] {
  return stages.flatMap(({ now, next, ...stage }) => {
    const hasBegun = next !== null && Date.parse(next.starts_at) <= at
    const current = hasBegun ? next : now
    const shown = { now: current && overAt(current) > at ? current : null, next: hasBegun ? null : next }
    return shown.now || shown.next ? [{ ...stage, ...shown }] : []
  })
}

/** What each stage plays now and next. */
export function NowNext({ stages }: { stages: StageNow[] }) {
  const t = useTranslations('events')
  const when = useEventWhen()
  // an event may have ended since the page was made
  const shown = running(stages, when.now)
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="now-next" className="grid gap-3 print-hidden">
      <h2 id="now-next" className="text-2xl">
        {t('nowNext')}
      </h2>
      <ul className="-m-2 flex gap-3 overflow-x-auto p-2">
        {shown.map(({ stage_id, stage, now, next }) => (
          <li
            key={stage_id}
            className="grid w-60 shrink-0 content-start gap-2 rounded-6 border-2 border-rule bg-surface p-3"
          >
            <h3 className="text-base [overflow-wrap:anywhere]">{stage}</h3>
            {now && <Line event={now} label={t('nowLabel')} live />}
            {next && <Line event={next} label={t('nextLabel')} />}
          </li>
        ))}
      </ul>
    </section>
  )

  function Line({ event, label, live = false }: { event: LineEvent; label: string; live?: boolean }) {
    const text = live ? when.until(event) : when.moment(event.starts_at)
    return (
      <p className="group/card relative -mx-1 grid gap-0.5 rounded-6 p-1">
        <span className="sr-only">{label} </span>
        <OpenState state={live ? 'live' : 'soon'}>{text}</OpenState>
        <CardLink
          href={eventPage(event.event_id)}
          // the browser does not scroll to a link of which a corner shows
          onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
          className="scroll-mx-6 font-semibold [overflow-wrap:anywhere]"
        >
          {event.title}
        </CardLink>
      </p>
    )
  }
}
