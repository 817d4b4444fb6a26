import { useTranslations } from 'use-intl'
import type { RefusedAnswer } from '../../shared/refusal.ts'
import { Notice } from '../ui/Notice.tsx'
import { InSight } from './InSight.tsx'

/**
 * Says why a request failed: wrong fields, a refusal in the server's words, or no answer.
 * @param tapped a single button or checkbox sent it: the texts do not mention anything typed
 */
export function Refused({ refused, tapped = false }: { refused: RefusedAnswer; tapped?: boolean }) {
  const t = useTranslations('forms')
  const count = Object.keys(refused.fields ?? {}).length
  return (
    <InSight>
      {count > 0 ? (
        <div className="while-faulty">
          <Notice kind="error">{t('check', { count })}</Notice>
        </div>
      ) : refused.status === 0 ? (
        <Notice kind="offline">{t(tapped ? 'offlineTap' : 'offline')}</Notice>
      ) : (
        <Notice kind="error">{refused.error || t(tapped ? 'failedTap' : 'failed')}</Notice>
      )}
    </InSight>
  )
}
