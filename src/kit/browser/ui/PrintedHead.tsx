import { use } from 'react'
import { SiteContext } from '../site.ts'

/**
 * Above a list on paper: where and when it was printed, and a code that leads back to it. Nothing of it is seen on a screen,
 * and the picture is not fetched for one: browsers fetch late pictures when they print.
 */
export function PrintedHead({ path, date }: { path: string; date: string }) {
  const site = use(SiteContext)
  return (
    <div className="hidden items-start justify-between gap-6 print:flex">
      <p className="min-w-0 wrap-anywhere">
        <strong>{site?.name}</strong>
        <span className="block">
          {site?.origin}
          {path}
        </span>
        {date}
      </p>
      <img
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
