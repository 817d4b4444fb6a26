import { useEffect } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useRefreshWhenStale } from '../../kit/browser/use-refresh-when-stale.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { DealList } from './load-deals.ts'

const againMs = 15_000

/** Notice that the list is outdated: made from the deals on the phone, or the one before (`isUnchanged`). It is loaded again when the network is back, by the button, and every 15 s. */
export function Stale({ since, isUnchanged }: { since: string; isUnchanged: boolean | undefined }) {
  const t = useTranslations('dealList')
  const when = useWhen()
  const navigate = useNavigate()
  const isLeaving = useNavigation().state !== 'idle'
  const again = () => void navigate(location.pathname + location.search, { replace: true, preventScrollReset: true })
  useEffect(() => {
    // another navigation must not be cancelled
    if (isLeaving) return
    addEventListener('online', again)
    const timer = setTimeout(again, againMs)
    return () => {
      removeEventListener('online', again)
      clearTimeout(timer)
    }
  })
  return (
    <Notice kind="offline" action={<Button onClick={again}>{t('again')}</Button>}>
      {t(isUnchanged ? 'stale' : 'fromPhone', { time: when.clock(since) })}
    </Notice>
  )
}

/** Loads an old list again when somebody returns to the page; if that fails it stays, with its age. */
export function RefreshedOnReturn({ shown }: { shown: DealList }) {
  useRefreshWhenStale(shown, always)
  return null
}

const always = () => true
