import { useTranslations } from 'use-intl'
import { isBeside } from '../../kit/browser/forms/is-beside.ts'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'

/** Why a text was not sent; only a summary where the reason stands beside a field. */
export function NotSent({ refused, text }: { refused: RefusedAnswer; text: { offline: string; failed: string } }) {
  const t = useTranslations('forms')
  const { status, error, fields = {} } = refused
  return (
    <Notice kind={status === 0 ? 'offline' : 'error'} role="alert">
      {isBeside(refused)
        ? t('check', { count: Object.keys(fields).length })
        : error || text[status === 0 ? 'offline' : 'failed']}
    </Notice>
  )
}
