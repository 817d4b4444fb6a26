import { Share2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'

/** Hands the page on: the device's own sheet, else the address is copied. Not there without JavaScript. */
export function ShareButton({ title }: { title: string }) {
  const t = useTranslations('deal')
  const toast = useToast()
  if (!useHydrated()) return null
  async function share() {
    const url = location.href
    if (typeof navigator.share === 'function') return navigator.share({ title, url }).catch(() => {})
    if (await copied(url)) toast.show({ text: t('copied') })
  }
  return (
    <>
      <Button onClick={() => void share()} icon={<Share2 aria-hidden="true" className="size-5" />}>
        {t('share')}
      </Button>
      <Toast note={toast.note} closeLabel={t('close')} onClose={toast.close} />
    </>
  )
}

/** The clipboard exists only in secure contexts; elsewhere (a phone on the stand's own network) a selection is copied. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'sr-only'
    document.body.append(field)
    field.select()
    const done = document.execCommand('copy')
    field.remove()
    return done
  }
}
