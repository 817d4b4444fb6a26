/** A placeholder for loading content. Give it the size of the content. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-breathe rounded-6 bg-well ${className}`} />
}

/** Placeholders for `count` cards with `layout="auto"`; screen readers say `label` once. */
export function CardSkeletons({ count, label }: { count: number; label: string }) {
  return (
    <>
      <output className="sr-only">{label}</output>
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
