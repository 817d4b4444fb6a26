import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import ChevronDown from 'lucide-react/icons/chevron-down'

/** A section of a long form, with a heading. */
export function FormSection({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-5 rounded-6 border-2 border-rule bg-surface p-4 sm:p-5"
    >
      <div className="grid gap-1">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        {lead && <p className="text-sm text-ink-soft">{lead}</p>}
      </div>
      {children}
    </section>
  )
}

/**
 * A section that can be folded; open from the start if it has values. It opens whenever `open` becomes true, and only a person
 * closes it: a field must not vanish while it is being corrected.
 */
export function FoldedSection({
  title,
  open = false,
  children,
}: {
  title: string
  open?: boolean
  children: ReactNode
}) {
  const details = useRef<HTMLDetailsElement>(null)
  const [isOpenAtFirst] = useState(open)
  useEffect(() => {
    if (open && details.current) details.current.open = true
  }, [open])
  return (
    <details
      ref={details}
      open={isOpenAtFirst || undefined}
      className="group rounded-6 border-2 border-rule bg-surface"
    >
      <summary className="flex min-h-14 cursor-pointer items-center justify-between gap-3 px-4 py-3 text-lg leading-tight font-bold sm:px-5">
        <span className="min-w-0 wrap-anywhere">{title}</span>
        <ChevronDown aria-hidden="true" className="size-6 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <div className="grid grid-cols-1 gap-5 px-4 pt-1 pb-5 sm:px-5">{children}</div>
    </details>
  )
}
