import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { EditDraft } from '../../../kit/browser/use-edit-draft.ts'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import type { Saving } from './use-save.ts'

/** Says that a save would undo what somebody else has changed since the draft was begun, also where it was kept over a reload. */
export function Overtaken({ draft }: { draft: EditDraft }) {
  const t = useTranslations('merchantForms')
  if (draft.conflicts.length === 0) return null
  return (
    <Notice kind="warn" action={<Button onClick={draft.dropConflicts}>{t('takeTheirs')}</Button>}>
      {t('overtaken', { n: draft.conflicts.length })}
    </Notice>
  )
}

/** Says that the form opened with fields that were typed earlier and not saved, and offers to discard them. */
export function Restored({ draft, saving, onDiscard }: { draft: EditDraft; saving: Saving; onDiscard?: () => void }) {
  const t = useTranslations('merchantForms')
  const [wasRestored, setRestored] = useState(draft.changed.length > 0)
  if (!wasRestored || draft.changed.length === 0 || saving.state !== 'idle') return null
  const discard = () => {
    draft.discard()
    setRestored(false)
    onDiscard?.()
  }
  return (
    <Notice kind="info" action={<Button onClick={discard}>{t('discard')}</Button>}>
      {t('restored', { n: draft.changed.length })}
    </Notice>
  )
}
