import Copy from 'lucide-react/icons/copy'
import Share2 from 'lucide-react/icons/share-2'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import type { Tell } from './tell.ts'

/** An address to hand on: selected by a tap, copied, or given to the device's own sheet. */
export function LinkField({
  label,
  url,
  tell,
  shareTitle,
}: {
  label: string
  url: string
  tell: Tell
  /** Where the device may share it; absent: it is a secret of one's own. */
  shareTitle?: string
}) {
  const t = useTranslations('schedule')
  const copy = async () => tell((await copied(url)) ? t('copied') : t('notCopied'))
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

/** The clipboard exists only in secure contexts; elsewhere the field can still be selected by hand. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
