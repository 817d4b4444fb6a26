import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { resendVerification } from '../contract.ts'

/** The address is not confirmed yet: what waits for it, and the mail once more. */
export function VerifyBanner({ email, must }: { email: string | null; must: boolean }) {
  const t = useTranslations('verification')
  const [sending, setSending] = useState(false)
  const [outcome, setOutcome] = useState<{ refused: RefusedAnswer | null } | null>(null)
  const resend = async () => {
    setSending(true)
    setOutcome(await ask(callByFetch, resendVerification, { as: 'action' }))
    setSending(false)
  }
  if (outcome && !outcome.refused) return <Notice kind="success">{t('sent')}</Notice>
  return (
    <div className="grid gap-3">
      {outcome?.refused && <Refused refused={outcome.refused} tapped />}
      <Notice
        kind="warn"
        title={t('title')}
        action={
          <Button onClick={() => void resend()} loading={sending} loadingText={t('sending')}>
            {t('resend')}
          </Button>
        }
      >
        <p>
          {email ? t('text', { email }) : t('textPlain')} {must && t('must')}
        </p>
      </Notice>
    </div>
  )
}
