import 'texts:ticket'
import { useEffect, useRef, type ReactNode } from 'react'
import Check from 'lucide-react/icons/check'
import Clock from 'lucide-react/icons/clock'
import X from 'lucide-react/icons/x'
import { useLocale, useTimeZone, useTranslations } from 'use-intl'
import { dateFormat } from '../../kit/shared/calendar.ts'

/** What the people at the counter must know first. `unsure`: the hours of the place are unknown. */
export type TicketState = 'valid' | 'unsure' | 'later' | 'redeemed' | 'over'

const bands: Record<TicketState, string> = {
  valid: 'border-night bg-moss text-on-moss',
  unsure: 'border-night bg-stone text-night',
  later: 'border-night bg-stone text-night',
  redeemed: 'border-night bg-night text-paper',
  over: 'border-night bg-wine text-on-wine',
}
const glyphs = { valid: Check, unsure: Clock, later: Clock, redeemed: Check, over: X }

/** The state of a ticket in words, on its colour. */
export function StateBand({
  state,
  className = '',
  children,
}: {
  state: TicketState
  className?: string
  children: ReactNode
}) {
  const Glyph = glyphs[state]
  return (
    <p className={`flex items-center gap-3 font-semibold [overflow-wrap:anywhere] ${bands[state]} ${className}`}>
      <Glyph aria-hidden="true" className="size-[1.25em] shrink-0" strokeWidth={3} />
      <span>{children}</span>
    </p>
  )
}

/**
 * What a visitor shows at the counter, over the whole screen, on white in both themes: a screen that is dark at night is hard to read
 * and to scan. The wave moves and the clock runs, which no screenshot does. Rendered open, so that it shows without JavaScript.
 */
export function Ticket({
  label,
  state,
  band,
  title,
  titleLang,
  headingLevel: Heading = 'h2',
  merchant,
  now,
  close,
  onClose,
  children,
}: {
  label: string
  state: TicketState
  /** The state in words: "Valid now, until 02:00". */
  band: string
  title: string
  titleLang?: string | undefined
  headingLevel?: 'h1' | 'h2'
  merchant: string
  /** The server's time, ms since 1970; null: the script has not loaded. */
  now: number | null
  /** Address of the page to close it to; null: `onClose` alone. */
  close: string | null
  onClose: () => void
  children: ReactNode
}) {
  const t = useTranslations('ticket')
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element || element.matches(':modal')) return
    element.removeAttribute('open')
    element.showModal()
    heading.current?.focus({ preventScroll: true })
  }, [])
  const closing = 'grid size-14 shrink-0 place-items-center rounded-6 border-2 border-night text-night'
  const cross = <X aria-hidden="true" className="size-8" />
  return (
    <dialog
      ref={dialog}
      open
      aria-label={label}
      onClose={onClose}
      className="paper fixed inset-0 z-60 m-0 size-full max-h-none max-w-none overflow-y-auto bg-[#fff] p-0 text-[#000]"
    >
      <div className="mx-auto grid min-h-full w-full max-w-xl grid-cols-1 grid-rows-[auto_auto_1fr] sm:border-x-2 sm:border-night">
        <div aria-live="polite">
          <StateBand
            state={state}
            className="figure border-b-2 px-5 py-4 text-[clamp(1.5rem,7vw,2.25rem)] leading-tight"
          >
            {band}
          </StateBand>
        </div>
        <div className="grid gap-2 px-5 pt-3">
          <div className="flex items-start justify-between gap-3">
            <div className="grid min-w-0 gap-0.5">
              <Heading
                ref={heading}
                lang={titleLang}
                tabIndex={-1}
                className="text-[clamp(1.25rem,6vw,1.75rem)] leading-tight [overflow-wrap:anywhere]"
              >
                {title}
              </Heading>
              <p className="text-lg font-semibold [overflow-wrap:anywhere]">{merchant}</p>
            </div>
            {close === null ? (
              <button type="button" aria-label={t('close')} onClick={() => dialog.current?.close()} className={closing}>
                {cross}
              </button>
            ) : (
              <a href={close} aria-label={t('close')} className={closing}>
                {cross}
              </a>
            )}
          </div>
          <p className="flex items-center gap-4 overflow-clip text-river">
            <span aria-hidden="true" className="min-w-0 flex-1 overflow-clip">
              <span
                className={`wave-line block h-10 w-[calc(100%+960px)] ${state === 'valid' ? 'animate-wave' : 'opacity-25'}`}
              />
            </span>
            {now !== null && <RunningClock now={now} />}
          </p>
        </div>
        <div className="flex flex-col gap-3 px-5 pt-4 pb-[max(1.25rem,env(safe-area-inset-bottom))]">{children}</div>
      </div>
    </dialog>
  )
}

function RunningClock({ now }: { now: number }) {
  const locale = useLocale()
  const timeZone = useTimeZone() ?? 'Europe/Zurich'
  const text = dateFormat(locale, { timeZone, timeStyle: 'medium', hourCycle: 'h23' }).format(now)
  return (
    <time dateTime={new Date(now).toISOString()} aria-live="off" className="figure shrink-0 text-3xl">
      {text}
    </time>
  )
}
