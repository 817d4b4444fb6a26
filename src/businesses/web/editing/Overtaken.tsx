import { useTranslations } from 'use-intl'
import type { Draft } from '../../../kit/browser/use-draft.ts'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'

/** Says that a save would undo what somebody else has changed since the draft was begun, also where it was kept over a reload. */
export function Overtaken({ draft }: { draft: Draft }) {
  const t = useTranslations('merchantForms')
  if (draft.overtaken.length === 0) return null
  return (
    <Notice kind="warn" action={<Button onClick={draft.yieldOvertaken}>{t('takeTheirs')}</Button>}>
      {t('overtaken', { n: draft.overtaken.length })}
    </Notice>
  )
}
