import type { ReactNode } from 'react'
import { posterType } from '../../kit/browser/ui/long-words.ts'
import { posterImage } from '../../site-map.ts'
import broken from './broken.svg'
import lost from './lost.svg'

export function Placard({
  title,
  picture,
  children,
}: {
  title: string
  /** `lost`, `broken`: our drawings; otherwise the generated poster of this category and id. */
  picture: 'lost' | 'broken' | { category: string; id: string }
  children: ReactNode
}) {
  return (
    <section data-page="poster" className="river min-h-[60vh] overflow-clip bg-river">
      <div className="shell grid grid-cols-[minmax(0,1fr)] gap-10 py-10 md:min-h-[38rem] md:py-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,32rem)] lg:items-center lg:gap-16">
        <div className="@container grid grid-cols-[minmax(0,1fr)] gap-5 md:gap-7">
          <h1 className={`text-paper ${posterType(title)}`}>{title}</h1>
          <div className="grid max-w-[44ch] gap-6 text-on-deep">{children}</div>
        </div>
        <div className="max-w-[32rem] rounded-6 border-2 border-night bg-paper p-2 lg:rotate-2">
          <img
            src={
              typeof picture !== 'string'
                ? posterImage('event', { ...picture, title })
                : picture === 'lost'
                  ? lost
                  : broken
            }
            alt=""
            width={800}
            height={600}
            // without a network the picture may be missing: hide its frame too
            onError={({ currentTarget }) => (currentTarget.parentElement!.hidden = true)}
            className="h-auto w-full"
          />
        </div>
      </div>
    </section>
  )
}
