import type { ReactNode } from 'react'

export function Headline({ id, title, lead }: { id: string; title: ReactNode; lead: ReactNode }) {
  return (
    <div className="grid gap-3">
      <h2 id={id} className="max-w-[20ch] text-4xl">
        {title}
      </h2>
      <p className="max-w-prose text-lg">{lead}</p>
    </div>
  )
}
