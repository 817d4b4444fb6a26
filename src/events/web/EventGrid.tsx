import { memo, startTransition, use, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useTranslations } from 'use-intl'
import { categoryFill, toCategory } from '../../brand/category.ts'
import { eventPage } from '../../site-map.ts'
import type { Stage } from '../contract.ts'
import { EventAction } from './event-action.ts'
import { EventMark } from './event-mark.ts'
import { isLong, overAt, type GridEvent } from './card-event.ts'
import { goByArrows } from './grid-keys.ts'
import { planGrid, slotMinutes, type GridPlan } from './grid-plan.ts'
import { useEventSpan, useEventWhen } from './use-event-when.ts'
import { whenNear } from './when-near.ts'

const slotMs = slotMinutes * 60_000
const rowsInAnHour = 60 / slotMinutes
/** Fewest rows of an event with a button: six for the button, three for a line of the title. */
const rowsOfAction = 9
/** Fewest rows of an event that shows its time. */
const rowsOfTime = 6

/** The timetable of a day; all-day events and those of several days stand in a line above it. */
export function EventGrid({ events, stages }: { events: GridEvent[]; stages: Pick<Stage, 'stage_id'>[] }) {
  const t = useTranslations('events')
  const { span } = useEventSpan()
  const mark = use(EventMark)
  const isAbove = (event: GridEvent) => event.all_day === true || isLong(event)
  const timed = useMemo(() => events.filter((event) => !isAbove(event)), [events])
  const above = events.filter(isAbove)
  return (
    <div className="grid grid-cols-1 gap-3">
      {above.length > 0 && (
        <ul aria-label={t('daysLong')} className="flex flex-wrap gap-2">
          {above.map((event) => (
            <li key={event.event_id} className="min-w-0">
              <a
                href={eventPage(event.event_id)}
                className={`block rounded-6 border-2 border-rule px-3 py-2 text-sm text-ink no-underline hover:underline [overflow-wrap:anywhere] ${categoryFill[toCategory(event.category)]}`}
              >
                <span className={`block font-bold ${event.status === 'cancelled' ? 'line-through' : ''}`}>
                  {event.title}
                </span>
                <span className="figure block">
                  {[span(event), event.stage, event.status === 'cancelled' && t('status.cancelled')]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                {mark?.(event.event_id)}
              </a>
            </li>
          ))}
        </ul>
      )}
      {timed.length > 0 && <TimeGrid events={timed} stages={stages} />}
    </div>
  )
}

/**
 * Stages × time. Its heads stay in sight, a cell is as tall as its event is long. Works without JavaScript; with
 * it the arrow keys go from event to event.
 */
function TimeGrid({ events, stages }: { events: GridEvent[]; stages: Pick<Stage, 'stage_id'>[] }) {
  const t = useTranslations('events')
  const { now } = useEventWhen()
  const box = useRef<HTMLElement>(null)
  const plan = useMemo(() => planGrid(events, stages), [events, stages])
  const nowRow = Math.floor((now - plan.startsAt) / slotMs)
  const isNow = nowRow >= 0 && nowRow < plan.rows
  const lastEnd = Math.max(0, ...events.map(overAt).filter((end) => end <= now))
  useNowInSight(box, isNow)
  useEffect(() => {
    const grid = box.current
    grid?.addEventListener('keydown', goByArrows)
    return () => grid?.removeEventListener('keydown', goByArrows)
  }, [])
  return (
    <section
      ref={box}
      aria-label={t('gridLabel')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
      tabIndex={0}
      className="print-wide below-bar relative max-h-[80dvh] overflow-auto rounded-6 border-2 border-rule bg-surface print:max-h-none print:overflow-visible print:border-0"
    >
      <div className="relative w-fit min-w-full print:w-full">
        {isNow && <NowLine rowsBelow={plan.rows - nowRow} />}
        <table className="min-w-full print:table-fixed border-separate [border-spacing:0] text-left">
          <caption className="sr-only">{t('gridCaption')}</caption>
          <thead className="relative z-20">
            <tr>
              <th
                scope="col"
                className="sticky top-0 left-0 z-30 min-w-14 print:w-14 print:static border-r-2 border-b-2 border-rule bg-surface"
              >
                <span className="sr-only">{t('time')}</span>
              </th>
              {plan.lanes.map((lane, index) =>
                lane.span > 0 ? (
                  <th
                    key={`${lane.stage_id}-${index}`}
                    scope="col"
                    colSpan={lane.span}
                    className="sticky print:static top-0 z-20 border-r-2 border-b-2 border-rule bg-surface px-2 py-2 align-bottom text-sm leading-tight font-bold [overflow-wrap:anywhere]"
                  >
                    {lane.stage ?? t('placeUnknown')}
                  </th>
                ) : null,
              )}
            </tr>
          </thead>
          <Rows plan={plan} nowRow={isNow ? nowRow : -1} lastEnd={lastEnd} />
        </table>
      </div>
    </section>
  )
}

/** Memoised: drawing a large programme takes a phone 0.1 s, and only the present line and ended events change. */
const Rows = memo(function Rows({
  plan,
  nowRow,
  lastEnd,
}: {
  plan: GridPlan
  nowRow: number
  /** Events that end before this are over; ms since 1970. */
  lastEnd: number
}) {
  const { clock, span } = useEventSpan()
  const t = useTranslations('events')
  const mark = use(EventMark)
  // once, not in each of hundreds of cells
  const time = (event: GridEvent) =>
    event.status === 'cancelled' ? `${span(event)} · ${t('status.cancelled')}` : span(event)
  const over = t('over')
  return (
    <tbody>
      {Array.from({ length: plan.rows }, (_, row) => (
        <tr key={row} className="h-2">
          {row % rowsInAnHour === 0 && (
            <th
              scope="row"
              rowSpan={Math.min(rowsInAnHour, plan.rows - row)}
              className="figure sticky print:static left-0 z-10 border-r-2 border-b border-rule bg-surface px-2 pt-1 align-top text-sm"
            >
              {clock(new Date(plan.startsAt + row * slotMs).toISOString())}
              {row <= nowRow && nowRow < row + rowsInAnHour && <NowMark part={nowRow - row} label={t('now')} />}
            </th>
          )}
          {plan.cells.get(row)?.map(({ lane, cell: { event, rows } }) => {
            const isOver = event !== null && overAt(event) <= lastEnd
            const block =
              event &&
              blockOf({ event, rows, time: time(event), over: isOver ? over : null, mark: mark?.(event.event_id) })
            // shorter events have their button on their page alone
            return event && rows >= rowsOfAction ? (
              <CellWithAction key={lane} rows={rows} event={event} isOver={isOver}>
                {block}
              </CellWithAction>
            ) : (
              <td key={lane} rowSpan={rows} className={cellClass}>
                {block}
              </td>
            )
          })}
        </tr>
      ))}
    </tbody>
  )
})

const cellClass = 'relative min-w-36 print:min-w-0 border-r border-hair p-0 align-top'

/** Draws a button when its event comes near the screen: there may be hundreds. */
function CellWithAction({
  event,
  rows,
  isOver,
  children,
}: {
  event: GridEvent
  rows: number
  isOver: boolean
  children: ReactNode
}) {
  const action = use(EventAction)
  const cell = useRef<HTMLTableCellElement>(null)
  const [isNear, setNear] = useState(false)
  // those in sight at once, later ones as a transition, so that scrolling stays smooth
  useEffect(() => {
    const draw = () => setNear(true)
    return whenNear(cell.current!, (isFirst) => (isFirst ? draw() : startTransition(draw)))
  }, [])
  return (
    <td ref={cell} rowSpan={rows} className={cellClass}>
      {children}
      {isNear && action && (
        <span className="absolute right-1 bottom-1 rounded-6 bg-surface">{action(event, false, isOver)}</span>
      )}
    </td>
  )
}

/** The line of the present. First in the document, so that it lies behind the events: over them it would strike out titles. */
function NowLine({ rowsBelow }: { rowsBelow: number }) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 bottom-0 border-t-2 border-dashed border-action print:hidden"
    >
      {/* SVG: the height in rows has no class, and the CSP forbids styles; a row is half a rem */}
      <svg width="1" height={`${rowsBelow / 2}rem`} className="block" />
    </div>
  )
}

/** The mark of the present in the column of times, `part` twelfths down its hour. */
function NowMark({ part, label }: { part: number; label: string }) {
  return (
    <span data-now className={`pointer-events-none absolute left-0 print:hidden ${tops[part] ?? 'top-0'}`}>
      <span className="absolute -top-3 left-0 rounded-r-6 bg-action px-1 text-xs font-bold text-on-action">
        {label}
      </span>
    </span>
  )
}
/** Written out, because Tailwind reads class names from the source; a row is 2 spacings tall. */
const tops = [
  'top-0',
  'top-2',
  'top-4',
  'top-6',
  'top-8',
  'top-10',
  'top-12',
  'top-14',
  'top-16',
  'top-18',
  'top-20',
  'top-22',
]

/** Lines of the title that fit above the time or the button. In px: 8 a row, 17.5 a line, 15 the time, 48 the button, rest padding. */
function titleLines(rows: number): number {
  const free = rows >= rowsOfAction ? rows * 8 - 55 : rows >= rowsOfTime ? rows * 8 - 29 : rows * 8 - 6
  return Math.min(Math.max(Math.floor(free / 17.5), 1), clamps.length)
}
/** Written out, because Tailwind reads class names from the source. */
const clamps = ['line-clamp-1', 'line-clamp-2', 'line-clamp-3', 'line-clamp-4']

interface BlockProps {
  event: GridEvent
  rows: number
  /** The time in words. */
  time: string
  /** "Over"; null: it is not over. */
  over: string | null
  mark: ReactNode
}

/** A function, not a component: a phone hydrates hundreds of components more slowly than it draws them. */
function blockOf({ event, rows, time, over, mark }: BlockProps) {
  const isShort = rows < rowsOfTime
  const isCancelled = event.status === 'cancelled'
  return (
    <a
      href={eventPage(event.event_id)}
      data-event
      // skips the layout of events out of sight
      className={`absolute inset-x-0.5 inset-y-px overflow-hidden rounded-6 border-2 px-1.5 leading-tight no-underline [content-visibility:auto] print:[content-visibility:visible] focus-visible:z-10 ${isShort ? 'py-0' : 'py-1'} ${over ? 'border-hair bg-well text-ink-soft' : `border-night ${categoryFill[toCategory(event.category)]}`}`}
    >
      <span
        className={`text-sm leading-tight font-bold [overflow-wrap:anywhere] ${clamps[titleLines(rows) - 1]} ${isCancelled ? 'line-through' : ''}`}
      >
        {event.title}
      </span>
      <span className={`figure block text-xs leading-tight ${isShort ? 'sr-only' : ''}`}>{time}</span>
      {over && <span className="sr-only">, {over}</span>}
      {mark && (
        // beside the button, or in its place
        <span className={`absolute bottom-0.5 ${rows >= rowsOfAction ? 'left-1' : 'right-0.5'}`}>{mark}</span>
      )}
    </a>
  )
}

/** Scrolls to the present once, when the grid opens. */
function useNowInSight(box: RefObject<HTMLElement | null>, isNow: boolean) {
  useEffect(() => {
    const line = isNow && box.current?.querySelector<HTMLElement>('[data-now]')
    if (!line || !box.current) return
    const hour = line.closest('tr')
    if (hour) box.current.scrollTop = Math.max(0, hour.offsetTop - 96)
    // not again as the minutes pass
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
}
