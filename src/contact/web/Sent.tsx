import { useEffect, useRef, useState } from 'react'
import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { useDeletedFormDraft } from '../../kit/browser/use-form-draft.ts'
import { page } from '../../site-map.ts'

/** Confirmation with the ticket number. */
export function Sent({ ticket }: { ticket: string }) {
  const t = useTranslations('contact')
  const title = useRef<HTMLHeadingElement>(null)
  useDeletedFormDraft(page.contact)
  // The page changed without a reload: a screen reader goes on from the new title.
  useEffect(() => title.current?.focus(), [])
  return (
    <>
      <h1 ref={title} tabIndex={-1} className="poster-type">
        {t('sent')}
      </h1>
      <div className="grid w-full rounded-6 border-2 border-night bg-lantern text-on-lantern">
        <p className="px-5 pt-5 font-semibold">{t('ticket')}</p>
        <p className="figure px-5 pb-5 text-[clamp(1.75rem,10.4vw,4.25rem)] leading-tight lg:text-[clamp(2.5rem,5vw,4.5rem)] select-all">
          {ticket}
        </p>
      </div>
      <p className="max-w-[44ch] text-lg">{t('sentText')}</p>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={ticket} />
        <ButtonLink href={page.contact}>{t('another')}</ButtonLink>
        <ButtonLink href={page.home} variant="quiet">
          {t('home')}
        </ButtonLink>
      </div>
    </>
  )
}

/** Copies the ticket number. Not shown where the browser cannot copy: there one tap selects the number. */
function CopyButton({ text }: { text: string }) {
  const t = useTranslations('contact')
  const [copied, setCopied] = useState(false)
  const isHydrated = useHydrated()
  if (!isHydrated || typeof navigator.clipboard?.writeText !== 'function') return null
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // The browser refused to copy: the number can still be selected by hand.
    }
  }
  return (
    <Button
      variant="primary"
      onClick={() => void copy()}
      icon={copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
    >
      <output>{copied ? t('copied') : t('copy')}</output>
    </Button>
  )
}
