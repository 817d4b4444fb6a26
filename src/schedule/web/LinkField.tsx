import Copy from 'lucide-react/icons/copy'
import Share2 from 'lucide-react/icons/share-2'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import type { ShowNote } from './show-note.ts'

/** An address to pass on: select, copy, or share with the device's share sheet. */
export function LinkField({
  label,
  url,
  showNote,
  shareTitle,
}: {
  label: string
  url: string
  showNote: ShowNote
  /** Title for the share sheet; without it the address is private and has no share button. */
  shareTitle?: string
}) {
  const t = useTranslations('schedule')
  const copy = async () => showNote((await copied(url)) ? t('copied') : t('notCopied'))
  const canShare = shareTitle !== undefined && typeof navigator.share === 'function'
  return (
    <div className="grid gap-3">
      <TextField
        label={label}
        value={url}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
        spellCheck={false}
      />
      <div className="flex flex-wrap gap-3">
        <Button icon={<Copy aria-hidden="true" className="size-5" />} onClick={() => void copy()}>
          {t('copy')}
        </Button>
        {canShare && (
          <Button
            icon={<Share2 aria-hidden="true" className="size-5" />}
            onClick={() => void navigator.share?.({ title: shareTitle, url }).catch(() => {})}
          >
            {t('send')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Copies a text. False: no clipboard, which exists only in secure contexts; the field can still be selected. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
