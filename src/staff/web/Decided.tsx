import type { ReactNode } from 'react'

/** The buttons of a decision; once it is made, what was decided, in the same room, so that nothing comes under the finger. */
export function Decided({ text, children }: { text: string | null; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-center *:[grid-area:1/1]">
      <div className={text === null ? '' : 'invisible'}>{children}</div>
      {text !== null && <p className="font-semibold wrap-anywhere">{text}</p>}
    </div>
  )
}
