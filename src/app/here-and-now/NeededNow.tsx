import 'texts:needed'
import { useEffect, useState, type ReactNode } from 'react'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import ChevronRight from 'lucide-react/icons/chevron-right'
import QrCode from 'lucide-react/icons/qr-code'
import ScanLine from 'lucide-react/icons/scan-line'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { storedInSession, storeInSession } from '../../accounts/web/session.ts'
import { useHereAndNow } from '../../kit/browser/here-and-now.ts'
import { chfShort } from '../../kit/shared/numbers.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { eventPage, myCodesPage, page } from '../../site-map.ts'
import { useHeld } from './held.ts'
import { neededNow, type Needed } from './needed-now.ts'
import { neededNoteKey, noteText, type NeededNote } from './needed-note.ts'

const looks = {
  code: { Icon: QrCode, colours: 'bg-moss text-on-moss' },
  early: { Icon: QrCode, colours: 'bg-well text-ink' },
  event: { Icon: CalendarClock, colours: 'bg-lantern text-on-lantern' },
  till: { Icon: ScanLine, colours: 'bg-well text-ink' },
} as const

/** Of the strip below the header; set before the first paint by `start-page.ts`. */
const isPlaceKept = () => 'needed' in document.documentElement.dataset

/**
 * The strip "What I need now" below the header: one line, one tap. `isOpened`: the page came as a document. What becomes needed while
 * a page is read is shown from the next page on.
 */
export default function NeededNow({ isOpened }: { isOpened: boolean }): ReactNode {
  const t = useTranslations('needed')
  const { pathname } = useLocation()
  const here = useHereAndNow()
  const needed = neededNow(useHeld(), here)
  const [place, setPlace] = useState({ pathname, isKept: isPlaceKept() || (needed !== null && !isOpened) })
  if (place.pathname !== pathname) setPlace({ pathname, isKept: isPlaceKept() || needed !== null })
  const isShown = needed !== null && place.isKept
  const words = useWords()
  const shown = needed && words(needed)
  const label = t('title')
  const [until, href, text] = [shown?.until, shown?.href, shown && [shown.name, shown.more].filter(Boolean).join(', ')]
  useEffect(() => {
    const note: NeededNote | null = until && href && text ? { until, href, text, label } : null
    const stored = note && noteText(note)
    if (stored !== storedInSession(neededNoteKey)) storeInSession({ [neededNoteKey]: stored })
    // the place was kept free for nothing
    if (!until) delete document.documentElement.dataset['needed']
  }, [until, href, text, label])
  useEffect(() => {
    if (isShown) document.documentElement.dataset['needed'] = ''
  }, [isShown])
  if (!isShown || !shown) return null
  const { Icon, colours } = looks[needed.kind === 'code' && needed.from !== null ? 'early' : needed.kind]
  return (
    <aside aria-label={label} className={`border-b-2 border-rule ${colours}`}>
      <a
        href={shown.href}
        className="shell flex min-h-11 items-center gap-2.5 py-1 font-semibold text-inherit no-underline"
      >
        <Icon aria-hidden="true" className="size-5 shrink-0 max-[18rem]:hidden" />
        <span className="@container min-w-0 flex-1">
          <span className="flex min-w-0 flex-wrap items-center gap-x-3">
            <span className="relative min-w-0 flex-[0_1_auto] wrap-anywhere @min-[12rem]:truncate">
              {shown.name}
              {shown.more && <span className="sr-only">,</span>}
            </span>
            {shown.more && <span className="figure font-bold">{shown.more}</span>}
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0" />
      </a>
    </aside>
  )
}

/** Far enough: a till is needed as long as a merchant is logged in. */
const monthMs = 30 * 24 * 60 * 60_000

/** `until`: when this may be something else, ms since 1970. */
interface NeededWords {
  href: string
  name: string
  more: string
  until: number
}

function useWords(): (needed: Needed) => NeededWords {
  const t = useTranslations('needed')
  const when = useWhen()
  return (needed) => {
    if (needed.kind === 'code') {
      const { claimId, deal, from, until } = needed
      const more = from ? t('from', { time: when.time(from) }) : t('until', { time: when.time(until) })
      return { href: myCodesPage(claimId), name: t('code', { deal }), more, until: Date.parse(from ?? until) }
    }
    if (needed.kind === 'event') {
      const { eventId, title, startsAt, leaveAt } = needed
      const time = when.time(startsAt)
      const leave =
        leaveAt === null
          ? time
          : leaveAt <= when.now
            ? t('leaveNow', { time })
            : t('leaveAt', { time, leave: when.clock(new Date(leaveAt).toISOString()) })
      return { href: eventPage(eventId), name: title, more: leave, until: Date.parse(startsAt) }
    }
    const { tonight } = needed
    const more = tonight ? t('tonight', { n: tonight.redeemed, amount: chfShort(tonight.chf) }) : ''
    return { href: page.redeem, name: t('redeem'), more, until: when.now + monthMs }
  }
}
