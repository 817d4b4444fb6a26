import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { useResend } from './use-resend.ts'

/** Banner for an unconfirmed address: what needs the confirmation, and a button to send the mail again. */
export function VerifyBanner({
  email,
  must,
  kind,
}: {
  email: string | null
  must: boolean
  kind: 'business' | 'user'
}) {
  const t = useTranslations('verification')
  const { resend, isSending, isSent, refused } = useResend()
  if (isSent) return <Notice kind="success">{t('sent')}</Notice>
  return (
    <div className="grid gap-3">
      {refused && <Refused refused={refused} tapped />}
      <Notice
        kind="warn"
        title={t('title', { kind })}
        action={
          <Button onClick={() => void resend()} loading={isSending} loadingText={t('sending')}>
            {t('resend')}
          </Button>
        }
      >
        <p>
          {email ? t('text', { email }) : t('textPlain')} {must && t('must', { kind })}
        </p>
      </Notice>
    </div>
  )
}
