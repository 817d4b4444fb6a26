import { useEffect } from 'react'
import MailCheck from 'lucide-react/icons/mail-check'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { onReturn } from '../../kit/browser/on-return.ts'
import { page } from '../../site-map.ts'
import { loadAccount, useDeletion } from './account-notes.ts'
import { AccountLine } from './AccountLine.tsx'
import { noteAddress, useUnverified } from './unverified.ts'
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
  const { resend, isSending, isSent, refused } = useResend()
  // The address may have been confirmed while this page was hidden, here or on another device.
  useEffect(() => onReturn(() => void loadAccount()), [])
  return (
    <AccountLine
      about="verifyLine"
      Icon={MailCheck}
      text={isSent ? t('sent') : t('line')}
      refused={refused}
      action={isSent ? undefined : { label: t('resend'), isSending, run: resend }}
      onHide={() => noteAddress(true)}
    />
  )
}
