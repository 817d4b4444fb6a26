import { useEffect, useState } from 'react'
import MailCheck from 'lucide-react/icons/mail-check'
import X from 'lucide-react/icons/x'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { IconButton } from '../../kit/browser/ui/Button.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { page } from '../../site-map.ts'
import { noteAccount, useDeletion } from './account-notes.ts'
import { noteAddress, useUnverified } from './unverified.ts'
import { getMe, resendVerification } from '../contract.ts'

/** Pages that say it themselves, or are about it. */
const elsewhere: string[] = [
  page.settings,
  page.dashboard,
  page.verifyEmail,
  page.userLogin,
  page.businessLogin,
  page.userSignup,
  page.businessSignup,
]

/** A calm line below the header after a login with an address that is not confirmed: the mail once more, or put away. */
export function VerifyLine() {
  const { pathname } = useLocation()
  const isUnverified = useUnverified()
  // an account that is about to go has nothing to confirm
  const isGoing = useDeletion() !== null
  const isShown = isUnverified && !isGoing && !elsewhere.includes(pathname)
  return isShown ? <Line /> : null
}

function Line() {
  const t = useTranslations('verifyLine')
  const [sending, setSending] = useState(false)
  const [outcome, setOutcome] = useState<{ refused: RefusedAnswer | null } | null>(null)
  useEffect(() => lookAfterReturn(), [])
  const resend = async () => {
    setSending(true)
    setOutcome(await ask(callByFetch, resendVerification, { as: 'action' }))
    setSending(false)
  }
  const refused = outcome?.refused
  const text = !outcome
    ? t('line')
    : !refused
      ? t('sent')
      : refused.error || t(refused.status === 0 ? 'offline' : 'failed')
  return (
    <aside aria-label={t('title')} className="border-b-2 border-hair bg-well print-hidden">
      <div className="shell flex items-center gap-x-3">
        <MailCheck aria-hidden="true" className="size-5 shrink-0 text-link max-sm:hidden" />
        <p className="min-w-0 flex-1 py-2 text-sm">
          <output>{text}</output>{' '}
          {!(outcome && !refused) && (
            <button
              type="button"
              onClick={() => void resend()}
              disabled={sending}
              aria-busy={sending || undefined}
              className="link target font-semibold"
            >
              {sending ? t('sending') : t('resend')}
            </button>
          )}
        </p>
        <IconButton
          label={t('hide')}
          icon={<X aria-hidden="true" className="size-5" />}
          onClick={() => noteAddress(true)}
          className="-mr-[12px] self-start"
        />
      </div>
    </aside>
  )
}

/** Whoever comes back from the mail has perhaps confirmed meanwhile, on this device or another. */
function lookAfterReturn(): () => void {
  const look = async () => {
    if (document.visibilityState !== 'visible') return
    const { answer } = await ask(callByFetch, getMe, { as: 'background' })
    if (answer) noteAccount(answer.body)
  }
  const listen = () => void look()
  document.addEventListener('visibilitychange', listen)
  return () => document.removeEventListener('visibilitychange', listen)
}
