import { useEffect, useState } from 'react'
import Hourglass from 'lucide-react/icons/hourglass'
import { useLocation } from 'react-router'
import { useLocale, useTimeZone, useTranslations } from 'use-intl'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { onReturn } from '../../kit/browser/on-return.ts'
import { dayIn } from '../../kit/browser/when.ts'
import { page } from '../../site-map.ts'
import { cancelDeletion } from '../contract.ts'
import { isDeletionNoted, loadAccount, noteDeletion, useDeletion } from './account-notes.ts'
import { AccountLine } from './AccountLine.tsx'

/**
 * Line below the header while the account waits to be deleted: until when, and a button to keep it. Not on the settings page, which
 * has its own.
 */
export function DeletionLine() {
  const t = useTranslations('deletionLine')
  const { pathname } = useLocation()
  const deletionAt = useDeletion()
  /** The page on which the account was kept: only there the line confirms it. */
  const [keptOn, setKeptOn] = useState<string | null>(null)
  useEffect(() => lookAgain(), [])
  if (pathname === page.settings) return null
  if (deletionAt) return <Going deletionAt={deletionAt} kept={() => setKeptOn(pathname)} />
  if (keptOn !== pathname) return null
  return <AccountLine about="deletionLine" Icon={Hourglass} text={t('kept')} onHide={() => setKeptOn(null)} />
}

function Going({ deletionAt, kept }: { deletionAt: string; kept: () => void }) {
  const t = useTranslations('deletionLine')
  const locale = useLocale()
  const zone = useTimeZone() ?? 'Europe/Zurich'
  const { send, isSending, refused } = useSend()
  const keep = async () => {
    const { answer } = await send(cancelDeletion, { as: 'action' })
    if (!answer) return
    kept()
    noteDeletion(null)
  }
  return (
    <AccountLine
      about="deletionLine"
      Icon={Hourglass}
      text={t('line', { date: dayIn(locale, zone, deletionAt) })}
      refused={refused}
      action={{ label: t('keep'), isSending, run: keep }}
    />
  )
}

/**
 * Loads the account again if a deletion is noted: in a new document, when the network is back, and on return to the page. The
 * account may have been kept on another device, or the answer after the login never came.
 */
function lookAgain(): () => void {
  const look = () => {
    if (!document.hidden && isDeletionNoted()) void loadAccount()
  }
  look()
  const stopReturning = onReturn(look)
  addEventListener('online', look)
  return () => {
    stopReturning()
    removeEventListener('online', look)
  }
}
