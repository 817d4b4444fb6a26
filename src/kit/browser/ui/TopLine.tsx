import type { ReactNode } from 'react'
import type { LucideIcon } from 'lucide-react'

/** A line below the header of every page; `end`: the part at its end, such as the button that hides it. */
export function TopLine({
  label,
  Icon,
  end,
  children,
}: {
  label: string
  Icon: LucideIcon
  end?: ReactNode
  children: ReactNode
}) {
  return (
    <aside aria-label={label} className="border-b-2 border-hair bg-well print-hidden">
      <div className="shell flex items-center gap-x-3">
        <Icon aria-hidden="true" className="size-5 shrink-0 text-link max-sm:hidden" />
        <p className="min-w-0 flex-1 py-2 text-sm">{children}</p>
        {end}
      </div>
    </aside>
  )
}
