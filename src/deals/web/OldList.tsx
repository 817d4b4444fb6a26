import { useEffect } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { useRefreshWhenStale } from '../../kit/browser/use-refresh-when-stale.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { Shown } from './load-deals.ts'

const againMs = 15_000

/** The list is an older one than was asked for: asked again when the network is back, by hand, and now and then. */
export function Stale({ since }: { since: string }) {
  const t = useTranslations('dealList')
  const when = useWhen()
  const navigate = useNavigate()
  const isLeaving = useNavigation().state !== 'idle'
  const again = () => void navigate(location.pathname + location.search, { replace: true, preventScrollReset: true })
  useEffect(() => {
    // who is on the way to another page is not called back
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
      {t('stale', { time: when.clock(since) })}
    </Notice>
  )
}

/** Who comes back to a list that has grown old gets today's, in place; without an answer it stays, and says its age. */
export function Renewed({ shown }: { shown: Shown }) {
  useRefreshWhenStale(shown, always)
  return null
}

const always = () => true
