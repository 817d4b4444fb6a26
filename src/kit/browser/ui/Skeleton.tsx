import { useTranslations } from 'use-intl'

/** A placeholder for loading content. Give it the size of the content. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-breathe rounded-6 bg-well ${className}`} />
}

/**
 * Shown while content is loading: placeholders in its shape, one a size. Not shown without JavaScript, which would load it.
 * @param sizes classes for the height, such as `h-24`
 */
export function Waiting({ sizes, className = 'grid gap-4' }: { sizes: string[]; className?: string }) {
  return (
    <div className={`${className} noscript:hidden`}>
      <SaysLoading />
      {sizes.map((size, index) => (
        <Skeleton key={index} className={size} />
      ))}
    </div>
  )
}

function SaysLoading() {
  return <output className="sr-only">{useTranslations('frame')('loading')}</output>
}

/** Placeholders for `count` cards with `layout="auto"`. */
export function CardSkeletons({ count }: { count: number }) {
  return (
    <>
      <SaysLoading />
      {Array.from({ length: count }, (_, index) => (
        <div
          key={index}
          aria-hidden="true"
          className="grid overflow-clip rounded-6 border-2 border-hair bg-surface max-sm:grid-cols-[7rem_1fr] sm:grid-rows-[auto_1fr]"
        >
          <Skeleton className="rounded-none max-sm:min-h-28 sm:aspect-[4/3]" />
          <div className="grid content-start gap-2.5 p-3 sm:p-4">
            <Skeleton className="h-5 w-4/5" />
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-4 w-2/3" />
          </div>
        </div>
      ))}
    </>
  )
}
