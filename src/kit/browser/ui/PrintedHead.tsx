import { use, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { SiteContext } from '../site.ts'
import { useWhen } from '../when.ts'

/**
 * Above a list on paper: where and when it was printed, and a code that leads back to it. Nothing of it is seen on a screen,
 * and phones, which rarely print, do not fetch the picture before they do.
 */
export function PrintedHead({ path }: { path: string }) {
  const t = useTranslations('printedHead')
  const when = useWhen()
  const now = new Date(when.now).toISOString()
  const site = use(SiteContext)
  const code = useRef<HTMLImageElement>(null)
  useEffect(() => fetchedForPaper(code.current!), [path])
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

/** Later than anything that a visit waits for, ms. */
const restMs = 3000

/** A browser that prints does not wait for a picture that nobody has seen, so where people print it is there before. */
function fetchedForPaper(picture: HTMLImageElement) {
  const fetchIt = () => (picture.loading = 'eager')
  const timer = matchMedia('(min-width: 48rem)').matches ? setTimeout(fetchIt, restMs) : undefined
  addEventListener('beforeprint', fetchIt)
  return () => {
    clearTimeout(timer)
    removeEventListener('beforeprint', fetchIt)
  }
}
