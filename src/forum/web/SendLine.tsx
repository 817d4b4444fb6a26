import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { NotSent } from './NotSent.tsx'

/** The send button, why sending failed, and whether a draft is stored. */
export function SendLine({
  refused,
  isSending,
  wasStored,
  hasText,
  label,
  clear,
}: {
  refused: RefusedAnswer | null
  isSending: boolean
  wasStored: boolean
  hasText: boolean
  label: string
  clear: () => void
}) {
  const t = useTranslations('forumWrite')
  return (
    <div className="grid gap-3">
      {refused && <NotSent refused={refused} text={{ offline: t('offline'), failed: t('failed') }} />}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" variant="primary" size="lg" loading={isSending} loadingText={t('sending')}>
          {label}
        </Button>
        {hasText && (
          <span className="flex items-center gap-1 text-sm text-ink-soft">
            {wasStored && t('draft')}
            <Button variant="quiet" onClick={clear}>
              {t('discard')}
            </Button>
          </span>
        )}
      </p>
    </div>
  )
}
