import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { EditDraft } from '../../../kit/browser/use-edit-draft.ts'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { Notice } from '../../../kit/browser/ui/Notice.tsx'
import type { Saving } from './use-save.ts'

/** Warns that a save would overwrite changes of somebody else since the draft began, also after a reload. */
export function Overtaken({ draft }: { draft: EditDraft }) {
  const t = useTranslations('merchantForms')
  if (draft.conflicts.length === 0) return null
  return (
    <Notice kind="warn" action={<Button onClick={draft.dropConflicts}>{t('takeTheirs')}</Button>}>
      {t('overtaken', { n: draft.conflicts.length })}
    </Notice>
  )
}

/** Says that the form opened with an unsaved draft, and offers to discard it. */
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
