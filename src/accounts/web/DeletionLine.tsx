import { useEffect, useState, type ReactNode } from 'react'
import Hourglass from 'lucide-react/icons/hourglass'
import X from 'lucide-react/icons/x'
import { useLocation } from 'react-router'
import { useLocale, useTimeZone, useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { IconButton } from '../../kit/browser/ui/Button.tsx'
import { dayIn } from '../../kit/browser/when.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { page } from '../../site-map.ts'
import { isDeletionNoted, noteAccount, noteDeletion, useDeletion } from './account-notes.ts'
import { getMe, keepMe } from '../contract.ts'

/**
 * A calm line below the header for as long as somebody is logged in whose account is about to be deleted: until when, and
 * the one tap that keeps it. The settings say it themselves.
 */
export function DeletionLine() {
  const { pathname } = useLocation()
  const deletionAt = useDeletion()
  /** The page on which it was kept: there, and only there, the line says so. */
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
    <Line>
      <p className="min-w-0 flex-1 py-2 text-sm">
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
      </p>
    </Line>
  )
}

function Kept({ hide }: { hide: () => void }) {
  const t = useTranslations('deletionLine')
  return (
    <Line>
      <p className="min-w-0 flex-1 py-2 text-sm">
        <output>{t('kept')}</output>
      </p>
      <IconButton
        label={t('hide')}
        icon={<X aria-hidden="true" className="size-5" />}
        onClick={hide}
        className="-mr-3 self-start"
      />
    </Line>
  )
}

function Line({ children }: { children: ReactNode }) {
  const t = useTranslations('deletionLine')
  return (
    <aside aria-label={t('title')} className="border-b-2 border-hair bg-well print-hidden">
      <div className="shell flex items-center gap-x-3">
        <Hourglass aria-hidden="true" className="size-5 shrink-0 text-link max-sm:hidden" />
        {children}
      </div>
    </aside>
  )
}

/**
 * Asks the account again where something is noted of it: after a new document, with the network, and whenever one comes
 * back to the page. It may have been kept on another device, or the answer after the login never came.
 */
function lookAgain(): () => void {
  const look = async () => {
    if (document.visibilityState !== 'visible' || !isDeletionNoted()) return
    const { answer } = await ask(callByFetch, getMe, { as: 'background' })
    if (answer) noteAccount(answer.body)
  }
  const listen = () => void look()
  listen()
  document.addEventListener('visibilitychange', listen)
  addEventListener('online', listen)
  return () => {
    document.removeEventListener('visibilitychange', listen)
    removeEventListener('online', listen)
  }
}
