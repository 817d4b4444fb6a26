import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { ToSecondFactor, wantsSecondFactor } from '../../staff/web/StaffPage.tsx'

export function ModerationFailed({ refused, again }: { refused: RefusedAnswer; again: () => void }) {
  const t = useTranslations('moderation')
  if (wantsSecondFactor(refused))
    return (
      <Notice kind="warn" action={<ToSecondFactor />}>
        {refused.error}
      </Notice>
    )
  const isOffline = refused.status === 0
  return (
    <Notice kind={isOffline ? 'offline' : 'error'} action={<Button onClick={again}>{t('reload')}</Button>}>
      {refused.error || t(isOffline ? 'offlineTap' : 'failed')}
    </Notice>
  )
}
