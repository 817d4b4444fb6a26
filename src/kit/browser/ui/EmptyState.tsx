import type { ReactNode } from 'react'

/** Says that there is nothing yet, and what to do next. `level`: of the heading, so that headings stay in order. */
export function EmptyState({
  title,
  action,
  level: Heading = 'h2',
  children,
}: {
  title: string
  action?: ReactNode
  level?: 'h2' | 'h3'
  children?: ReactNode
}) {
  return (
    <div className="grid justify-items-center gap-4 rounded-6 border-2 border-dashed border-rule px-5 py-8 text-center">
      <Heading className="text-xl">{title}</Heading>
      {children && <div className="max-w-96 text-ink-soft">{children}</div>}
      {action}
    </div>
  )
}
