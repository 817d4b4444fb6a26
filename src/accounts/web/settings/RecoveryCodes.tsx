import { useEffect, useRef, useState } from 'react'
import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import { useBlocker } from 'react-router'
import { useTranslations } from 'use-intl'
import { saveFile } from '../../../kit/browser/save-file.ts'
import { currentSession } from '../session.ts'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../../kit/browser/ui/Dialog.tsx'
import { useSettings } from './Row.tsx'

/** Recovery codes, shown once, to copy, download or print. Leaving the page is confirmed first. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const t = useTranslations('settings')
  const { kind } = useSettings()
  const title = useRef<HTMLHeadingElement>(null)
  const [copied, setCopied] = useState(false)
  useEffect(() => title.current?.focus(), [])
  const text = codes.join('\n')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Refused by the browser: one tap selects the codes.
    }
  }
  return (
    <div className="grid gap-4 rounded-6 border-2 border-night bg-lantern p-5 text-on-lantern">
      <AskBeforeLeaving />
      <div className="grid gap-1">
        <h4 ref={title} tabIndex={-1} className="figure text-xl">
          {t('factor.codesTitle')}
        </h4>
        <p>{t('factor.codesText', { kind })}</p>
      </div>
      <ol className="figure grid gap-x-8 gap-y-1 text-lg select-all sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3 [&_button]:border-night [&_button]:text-on-lantern">
        {typeof navigator.clipboard?.writeText === 'function' && (
          <Button
            onClick={() => void copy()}
            icon={
              copied ? <Check aria-hidden="true" className="size-5" /> : <Copy aria-hidden="true" className="size-5" />
            }
          >
            <output>{copied ? t('factor.copied') : t('factor.copy')}</output>
          </Button>
        )}
        <Button
          onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'rheinklang-recovery-codes.txt')}
          icon={<Download aria-hidden="true" className="size-5" />}
        >
          {t('factor.download')}
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t('factor.kept')}
        </Button>
      </div>
    </div>
  )
}

/** Confirms a change of page by a dialog. Reload, another site and closing the tab are confirmed by the browser. */
function AskBeforeLeaving() {
  const t = useTranslations('settings')
  const { kind } = useSettings()
  const common = useTranslations('accountForms')
  // A logout is not stopped.
  const { state, reset, proceed } = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && currentSession() !== 'guest',
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => currentSession() !== 'guest' && event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  return (
    <Dialog
      open={state === 'blocked'}
      onClose={() => reset?.()}
      title={t('factor.leaveTitle')}
      closeLabel={common('close')}
      actions={
        <>
          <Button variant="primary" onClick={() => reset?.()}>
            {t('factor.stay')}
          </Button>
          <Button onClick={() => proceed?.()}>{t('factor.leave')}</Button>
        </>
      }
    >
      <p>{t('factor.leaveText', { kind })}</p>
    </Dialog>
  )
}
