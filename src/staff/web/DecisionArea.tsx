import type { ReactNode } from 'react'

/** Buttons of a decision, then its text in the same space: the page below must not move under the finger. */
export function DecisionArea({ text, children }: { text: string | null; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-center *:[grid-area:1/1]">
      <div className={text === null ? '' : 'invisible'}>{children}</div>
      {text !== null && <p className="font-semibold wrap-anywhere">{text}</p>}
    </div>
  )
}
