import Share2 from 'lucide-react/icons/share-2'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'

/** Shares the page by the device's share sheet, else copies the address. Not shown without JavaScript. */
export default function ShareButton({ title }: { title: string }) {
  const t = useTranslations('deal')
  const toast = useToast()
  if (!useHydrated()) return null
  async function share() {
    const url = location.href
    if (await shareBySheet({ title, url })) return
    // loaded when needed: most devices can share
    const isCopied = await import('./copy-text.ts').then(
      ({ copyText }) => copyText(url),
      () => false,
    )
    toast.show({ text: isCopied ? t('copied') : t('copyFailed') })
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

/** True also if the sheet was closed by hand. False where it cannot be opened, as in some frames. */
async function shareBySheet(what: { title: string; url: string }): Promise<boolean> {
  if (typeof navigator.share !== 'function') return false
  try {
    await navigator.share(what)
    return true
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError'
  }
}
