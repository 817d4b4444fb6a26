import 'texts:accountForms,logout'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { favoritesRoom, sendSaved } from '../../favorites/web/saved.ts'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { outbox, type Room } from '../../kit/browser/outbox.ts'
import { unsentKey } from '../../kit/browser/unsent-store.ts'
import { followOutbox } from '../../kit/browser/use-outbox.ts'
import { LateScript, NoScript } from '../../accounts/web/parts.tsx'
import { currentSession, logOutNow, ownerHere, takeLogoutIntent } from '../../accounts/web/session.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Skeleton } from '../../kit/browser/ui/Skeleton.tsx'
import { sendOwnScans } from '../../redemptions/web/unsent-scans.ts'
import { sendChanges, unsentChanges } from '../../schedule/web/my-schedule.ts'
import { page } from '../../site-map.ts'

/** The same document for everybody; what was not sent only the browser knows. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/** On the way out with changes that were not sent: they are sent first, and where that fails they are named. */
export default function LogoutScreen() {
  const t = useTranslations('logout')
  const isAlive = useHydrated()
  return (
    <div className="shell grid max-w-3xl gap-6 py-8 md:py-12">
      <PageHead title={t('title')} description={t('lead')} hidden />
      <h1>{t('title')}</h1>
      {isAlive ? (
        <Asked />
      ) : (
        <>
          <NoScript kind="logout" />
          <LateScript kind="page" />
          <Skeleton className="h-28 noscript:hidden" />
        </>
      )}
    </div>
  )
}

/** A link alone logs nobody out: it may stand anywhere. */
function Asked() {
  const t = useTranslations('logout')
  const [isWished, setWished] = useState(takeLogoutIntent)
  if (isWished) return <Leaving />
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="primary" size="lg" onClick={() => setWished(true)}>
        {t('leave')}
      </Button>
      <ButtonLink href={page.home} size="lg">
        {t('stay')}
      </ButtonLink>
    </div>
  )
}

interface Left {
  schedule: ReturnType<typeof unsentChanges>
  intents: { key: string; words: { key: string; values: Record<string, string | number> } }[]
  /** Of a business: they stay on the device, and its next login there sends them. */
  scans: number
}

/** Rooms whose unsent intents go with who logs out. */
const rooms: readonly Room<never, never>[] = [favoritesRoom as unknown as Room<never, never>]

const unsentIntents = () =>
  rooms.flatMap((room) =>
    outbox
      .of(room.name, ownerHere())
      .filter(({ refused }) => !refused)
      .map((each) => ({ key: each.key, words: room.words(each as never) })),
  )

function Leaving() {
  const t = useTranslations('logout')
  const [tries, setTries] = useState(1)
  const [left, setLeft] = useState<Left | null>(null)
  useEffect(() => {
    let isLate = false
    void Promise.all([sendChanges(), sendSaved(), sendOwnScans()]).then(([, , scans]) => {
      if (isLate) return
      const schedule = unsentChanges()
      const intents = unsentIntents()
      if (schedule.length + intents.length + scans === 0) void logOutNow()
      else setLeft({ schedule, intents, scans })
    })
    return () => {
      isLate = true
    }
  }, [tries])
  useEffect(() => {
    if (left === null) return
    // another tab may send them meanwhile
    const again = ({ key }: StorageEvent) => {
      if (key?.startsWith(unsentKey)) setTries((count) => count + 1)
    }
    addEventListener('storage', again)
    const leave = followOutbox(() => {
      if (unsentIntents().length < left.intents.length) setTries((count) => count + 1)
    })
    return () => {
      leave()
      removeEventListener('storage', again)
    }
  }, [left])
  if (left === null)
    return (
      <>
        <output>{t('sending')}</output>
        <Skeleton className="h-28" />
      </>
    )
  const again = () => {
    setLeft(null)
    setTries(tries + 1)
  }
  // a business has nothing else that is sent later, and a visitor no scans
  const isLost = left.schedule.length + left.intents.length > 0
  return (
    <>
      <p className="text-lg">{t(isLost ? 'lead' : 'scansLead')}</p>
      <ul aria-label={t('notSent')} className="grid divide-y-2 divide-hair border-y-2 border-rule">
        {left.schedule.map(({ event_id, what, title, note }) => (
          <li key={event_id} className="py-3 wrap-anywhere">
            <span className="font-semibold">{t(`what.${what}`, { title })}</span>
            {note && <span className="block text-ink-soft">{note}</span>}
          </li>
        ))}
        {left.intents.map(({ key, words }) => (
          <li key={key} className="py-3 font-semibold wrap-anywhere">
            {t(words.key as 'saved', words.values)}
          </li>
        ))}
        {left.scans > 0 && <li className="py-3 font-semibold">{t('scans', { n: left.scans })}</li>}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" size="lg" onClick={again}>
          {t('again')}
        </Button>
        <ButtonLink href={currentSession() === 'business' ? page.redeem : page.mySchedule} size="lg">
          {t('stay')}
        </ButtonLink>
        <Button variant={isLost ? 'danger' : 'secondary'} size="lg" onClick={() => void logOutNow()}>
          {t(isLost ? 'anyway' : 'leave')}
        </Button>
      </div>
    </>
  )
}
