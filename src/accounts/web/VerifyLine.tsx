import { useEffect } from 'react'
import MailCheck from 'lucide-react/icons/mail-check'
import X from 'lucide-react/icons/x'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { onReturn } from '../../kit/browser/on-return.ts'
import { IconButton } from '../../kit/browser/ui/Button.tsx'
import { TopLine } from '../../kit/browser/ui/TopLine.tsx'
import { page } from '../../site-map.ts'
import { noteAccount, useDeletion } from './account-notes.ts'
import { noteAddress, useUnverified } from './unverified.ts'
import { getMe } from '../contract.ts'
import { useResend } from './use-resend.ts'

/** Pages without the line, because they say it themselves or are about it. */
const elsewhere: string[] = [
  page.settings,
  page.dashboard,
  page.verifyEmail,
  page.userLogin,
  page.businessLogin,
  page.userSignup,
  page.businessSignup,
]

/** Line below the header after a login with an unconfirmed address; it can send the mail again and be dismissed. */
export function VerifyLine() {
  const { pathname } = useLocation()
  const isUnverified = useUnverified()
  // An account that will be deleted need not be confirmed.
  const isGoing = useDeletion() !== null
  const isShown = isUnverified && !isGoing && !elsewhere.includes(pathname)
  return isShown ? <Line /> : null
}

function Line() {
  const t = useTranslations('verifyLine')
  const { resend, sending, outcome } = useResend()
  // The address may have been confirmed while this page was hidden, here or on another device.
  useEffect(() => onReturn(() => void lookAgain()), [])
  const refused = outcome?.refused
  const text = !outcome
    ? t('line')
    : !refused
      ? t('sent')
      : refused.error || t(refused.status === 0 ? 'offline' : 'failed')
  return (
    <TopLine
      label={t('title')}
      Icon={MailCheck}
      end={
        <IconButton
          label={t('hide')}
          icon={<X aria-hidden="true" className="size-5" />}
          onClick={() => noteAddress(true)}
          className="-mr-[12px] self-start"
        />
      }
    >
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
    </TopLine>
  )
}

async function lookAgain() {
  const { answer } = await ask(callByFetch, getMe, { as: 'background' })
  if (answer) noteAccount(answer.body)
}
