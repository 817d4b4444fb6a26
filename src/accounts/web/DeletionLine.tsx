import { useEffect, useState } from 'react'
import Hourglass from 'lucide-react/icons/hourglass'
import X from 'lucide-react/icons/x'
import { useLocation } from 'react-router'
import { useLocale, useTimeZone, useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { onReturn } from '../../kit/browser/on-return.ts'
import { IconButton } from '../../kit/browser/ui/Button.tsx'
import { TopLine } from '../../kit/browser/ui/TopLine.tsx'
import { dayIn } from '../../kit/browser/when.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { page } from '../../site-map.ts'
import { isDeletionNoted, noteAccount, noteDeletion, useDeletion } from './account-notes.ts'
import { getMe, keepMe } from '../contract.ts'

/**
 * Line below the header while the account waits to be deleted: until when, and a button to keep it. Not on the settings page, which
 * has its own.
 */
export function DeletionLine() {
  const { pathname } = useLocation()
  const deletionAt = useDeletion()
  /** The page on which the account was kept: only there the line confirms it. */
  const [keptOn, setKeptOn] = useState<string | null>(null)
  useEffect(() => lookAgain(), [])
  if (pathname === page.settings) return null
  if (deletionAt) return <Going deletionAt={deletionAt} kept={() => setKeptOn(pathname)} />
  return keptOn === pathname ? <Kept hide={() => setKeptOn(null)} /> : null
}

function Going({ deletionAt, kept }: { deletionAt: string; kept: () => void }) {
  const t = useTranslations('deletionLine')
  const locale = useLocale()
  const zone = useTimeZone() ?? 'Europe/Zurich'
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)
  const keep = async () => {
    setBusy(true)
    const outcome = await ask(callByFetch, keepMe, { as: 'action' })
    setBusy(false)
    setRefused(outcome.refused)
    if (!outcome.answer) return
    kept()
    noteDeletion(null)
  }
  const text = refused
    ? refused.error || t(refused.status === 0 ? 'offline' : 'failed')
    : t('line', { date: dayIn(locale, zone, deletionAt) })
  return (
    <TopLine label={t('title')} Icon={Hourglass}>
      <output>{text}</output>{' '}
      <button
        type="button"
        onClick={() => void keep()}
        disabled={busy}
        aria-busy={busy || undefined}
        className="link target font-semibold"
      >
        {busy ? t('sending') : t('keep')}
      </button>
    </TopLine>
  )
}

function Kept({ hide }: { hide: () => void }) {
  const t = useTranslations('deletionLine')
  return (
    <TopLine
      label={t('title')}
      Icon={Hourglass}
      end={
        <IconButton
          label={t('hide')}
          icon={<X aria-hidden="true" className="size-5" />}
          onClick={hide}
          className="-mr-3 self-start"
        />
      }
    >
      <output>{t('kept')}</output>
    </TopLine>
  )
}

/**
 * Loads the account again if a deletion is noted: in a new document, when the network is back, and on return to the page. The
 * account may have been kept on another device, or the answer after the login never came.
 */
function lookAgain(): () => void {
  const look = async () => {
    if (document.hidden || !isDeletionNoted()) return
    const { answer } = await ask(callByFetch, getMe, { as: 'background' })
    if (answer) noteAccount(answer.body)
  }
  const listen = () => void look()
  listen()
  const stopReturning = onReturn(listen)
  addEventListener('online', listen)
  return () => {
    stopReturning()
    removeEventListener('online', listen)
  }
}
