import { use, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { SiteContext } from '../site.ts'
import { useWhen } from '../when.ts'

/**
 * The head of a printed list: site, address, time of printing, and a QR code of the address. Invisible on screens. Phones
 * rarely print, so they load the QR code only then.
 */
export function PrintedHead({ path }: { path: string }) {
  const t = useTranslations('printedHead')
  const when = useWhen()
  const now = new Date(when.now).toISOString()
  const site = use(SiteContext)
  const code = useRef<HTMLImageElement>(null)
  useEffect(() => loadForPrint(code.current!), [path])
  return (
    <div className="hidden items-start justify-between gap-6 print:flex">
      <p className="min-w-0 wrap-anywhere">
        <strong>{site?.name}</strong>
        <span className="block">
          {site?.origin}
          {path}
        </span>
        {t('printed', { day: when.day(now), time: when.clock(now) })}
      </p>
      <img
        ref={code}
        src={`/qr.svg?path=${encodeURIComponent(path)}`}
        alt=""
        width={96}
        height={96}
        loading="lazy"
        decoding="sync"
      />
    </div>
  )
}

/** Longer than a page needs to load, ms. */
const restMs = 3000

/** Printing does not wait for pictures, so wide screens load the QR code in advance. */
function loadForPrint(picture: HTMLImageElement) {
  const load = () => (picture.loading = 'eager')
  const timer = matchMedia('(min-width: 48rem)').matches ? setTimeout(load, restMs) : undefined
  addEventListener('beforeprint', load)
  return () => {
    clearTimeout(timer)
    removeEventListener('beforeprint', load)
  }
}
