import { useTranslations } from 'use-intl'
import { isBeside } from '../../../kit/browser/forms/is-beside.ts'
import { Button, ButtonLink } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import { page } from '../../../site-map.ts'
import type { Saving } from './use-save.ts'

/** What became of a save, above its buttons: done, done otherwise, or why not. Nothing typed is lost. */
export function SaveLine({
  saving,
  again,
  reload,
}: {
  saving: Saving
  /** Saves over the other version. */
  again?: () => void
  /** Shows the other version; what was typed stays over it. */
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
  const told = (
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
      {/* a refusal with a code of its own, such as that of a logo, is said here as well */}
      {(code !== 'invalid_input' || !isBeside(outcome.refused)) && error}
      {fields && <span className="block text-sm">{t('seeFields')}</span>}
    </Notice>
  )
  return fields ? <div className="while-faulty">{told}</div> : told
}
