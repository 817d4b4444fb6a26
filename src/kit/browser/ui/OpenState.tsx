import type { ReactNode } from 'react'

type State = 'open' | 'soon' | 'closed' | 'unknown' | 'live'

const dots: Record<State, string> = {
  open: 'border-moss-text bg-moss-text',
  soon: 'bg-lantern border-lantern-text',
  closed: 'bg-transparent border-ink-soft',
  unknown: 'bg-transparent border-ink-soft border-dotted',
  live: 'animate-breathe border-action bg-action',
}
const inks: Record<State, string> = {
  open: 'text-moss-text',
  soon: 'text-lantern-text',
  closed: 'text-ink-soft',
  unknown: 'text-ink-soft',
  live: 'text-action-text',
}

/** A dot. Never use it without words: colour alone says nothing to some people. */
function StatusDot({ state }: { state: State }) {
  return <span aria-hidden="true" className={`inline-block size-2.5 shrink-0 rounded-full border-2 ${dots[state]}`} />
}

/** "Open until 02:00", "Closes soon", "Opens 11:00", "Hours unknown", "Now". */
export function OpenState({ state, size = 'sm', children }: { state: State; size?: 'sm' | 'lg'; children: ReactNode }) {
  return (
    <span
      className={`inline-flex min-w-0 items-center gap-1.5 font-semibold [overflow-wrap:anywhere] ${size === 'lg' ? 'text-lg' : 'text-sm'} ${inks[state]}`}
    >
      <StatusDot state={state} />
      {children}
    </span>
  )
}
