import 'texts:accountForms,logout'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { followOutbox } from '../../kit/browser/use-outbox.ts'
import { LateScript, NoScript } from '../../accounts/web/parts.tsx'
import { currentSession, isLeaving, logOutNow, takeLogoutIntent } from '../../accounts/web/session.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { FormPage } from '../../kit/browser/ui/Page.tsx'
import { Skeleton, Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { sendOwnScans } from '../../redemptions/web/unsent-scans.ts'
import { page } from '../../site-map.ts'
import { sendUnsent } from '../offline/send-unsent.ts'
import { ownIntents } from './intents.ts'

/** The same document for everybody: only the browser knows what was not sent. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/** Logs out with unsent changes: sends them first, and lists those that could not be sent. */
export default function LogoutScreen() {
  const t = useTranslations('logout')
  const isAlive = useHydrated()
  return (
    <FormPage title={t('title')}>
      <PageHead title={t('title')} description={t('lead')} hidden />
      {isAlive ? (
        <Confirmation />
      ) : (
        <>
          <NoScript kind="logout" />
          <LateScript kind="page" />
          <Waiting sizes={['h-28']} />
        </>
      )}
    </FormPage>
  )
}

/** Asks first, because a link to this page can stand anywhere. */
function Confirmation() {
  const t = useTranslations('logout')
  const [isConfirmed, setConfirmed] = useState(takeLogoutIntent)
  if (isConfirmed) return <SendingFirst />
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="primary" size="lg" onClick={() => setConfirmed(true)}>
        {t('leave')}
      </Button>
      <ButtonLink href={page.home} size="lg">
        {t('stay')}
      </ButtonLink>
    </div>
  )
}

interface Unsent {
  intents: ReturnType<typeof ownIntents>
  /** Scans of the till stay on the device; the next login of its business there sends them. */
  scans: number
}

function SendingFirst() {
  const t = useTranslations('logout')
  const [tries, setTries] = useState(1)
  const [left, setLeft] = useState<Unsent | null>(null)
  useEffect(() => {
    let isLate = false
    void Promise.all([sendOwnScans(), sendUnsent()]).then(([scans]) => {
      if (isLate) return
      const intents = ownIntents(false)
      if (intents.length + scans === 0) void logOutNow()
      else setLeft({ intents, scans })
    })
    return () => {
      isLate = true
    }
  }, [tries])
  useEffect(() => {
    if (left === null) return
    // the line about the network, or another tab, can send them in the meantime
    return followOutbox(() => {
      if (!isLeaving() && ownIntents(false).length < left.intents.length) setTries((count) => count + 1)
    })
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
  // a business has only scans to send, a visitor has none
  const { intents, scans } = left
  const isLost = intents.length > 0
  return (
    <>
      {isLost && (
        <>
          <p className="text-lg">{t('lead')}</p>
          <ul aria-label={t('notSent')} className={list}>
            {intents.map(({ intent, words }) => (
              <li key={intent.key} className="py-3 wrap-anywhere">
                <span className="font-semibold">{t(words.key as 'saved', words.values)}</span>
                {words.text && <span className="block text-ink-soft">{words.text}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      {scans > 0 && (
        <>
          <p className="text-lg">{t('scansLead')}</p>
          <ul aria-label={t('notSent')} className={list}>
            <li className="py-3 font-semibold">{t('scans', { n: scans })}</li>
          </ul>
        </>
      )}
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

const list = 'grid divide-y-2 divide-hair border-y-2 border-rule'
