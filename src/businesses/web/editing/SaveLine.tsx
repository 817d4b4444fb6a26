import { useTranslations } from 'use-intl'
import { isBeside } from '../../../kit/browser/forms/is-beside.ts'
import { Button, ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { page } from '../../../site-map.ts'
import type { Saving } from './use-save.ts'

/** The result of a save, above its buttons: saved, saved with a notice, or refused. The form keeps its values. */
export function SaveLine({
  saving,
  again,
  reload,
}: {
  saving: Saving
  /** Saves over the other version. */
  again?: () => void
  /** Loads the other version; the draft stays on top of it. */
  reload?: () => void
}) {
  const t = useTranslations('merchantForms')
  const { outcome, state, notice } = saving
  if (state === 'saved' && notice !== null)
    return (
      <Notice
        kind="warn"
        role="alert"
        action={
          <span className="flex flex-wrap gap-3">
            {notice.isLimit && <ButtonLink href={page.upgrade}>{t('upgrade')}</ButtonLink>}
            <ButtonLink href={page.dashboard}>{t('toDashboard')}</ButtonLink>
          </span>
        }
      >
        {notice.text}
      </Notice>
    )
  if (state === 'saved') return <Notice kind="success">{t('saved')}</Notice>
  if (!outcome || state === 'saving') return null
  const { code, error, fields } = outcome.refused
  const message = (
    <Notice
      kind="error"
      action={
        code === 'changed_meanwhile' && again && reload ? (
          <span className="flex flex-wrap gap-3">
            <Button onClick={reload}>{t('reload')}</Button>
            <Button disabled={saving.isUploading} onClick={again}>
              {t('saveAnyway')}
            </Button>
          </span>
        ) : code === 'deal_limit_reached' ? (
          <ButtonLink href={page.upgrade}>{t('upgrade')}</ButtonLink>
        ) : undefined
      }
    >
      {/* a refusal with its own code, such as that of a logo, also shows here, not only beside its field */}
      {(code !== 'invalid_input' || !isBeside(outcome.refused)) && error}
      {fields && <span className="block text-sm">{t('seeFields')}</span>}
    </Notice>
  )
  return fields ? <div className="while-faulty">{message}</div> : message
}
