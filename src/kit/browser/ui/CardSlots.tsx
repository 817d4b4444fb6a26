import type { ReactNode } from 'react'
import type { Way } from '../here-and-now.ts'
import { WayText } from './WayText.tsx'

/**
 * What a card or row says about its thing below the title, in the same order in every list: when, where and how far, how much and
 * how good. A slot without content takes no space; a badge in one makes it no higher.
 */
export function CardSlots({
  when,
  where,
  way = null,
  price,
  rating,
}: {
  when?: ReactNode
  where?: ReactNode
  way?: Way | null
  price?: ReactNode
  rating?: ReactNode
}) {
  const line = 'flex min-h-6 flex-wrap items-center gap-x-3 empty:hidden'
  return (
    <>
      <p data-slot="when" className={`${line} text-sm`}>
        {when}
      </p>
      <p
        data-slot="where"
        className="flex flex-wrap gap-x-2 text-sm text-ink-soft [overflow-wrap:anywhere] empty:hidden"
      >
        {where}
        {way && (
          <span className="font-semibold">
            <WayText way={way} />
          </span>
        )}
      </p>
      <p data-slot="price" className={`${line} mt-auto`}>
        {price}
        {rating}
      </p>
    </>
  )
}
