import type { ReactNode } from 'react'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import WifiOff from 'lucide-react/icons/wifi-off'

type Kind = 'info' | 'success' | 'warn' | 'error' | 'offline'

const looks: Record<Kind, { edge: string; ink: string; Icon: typeof Info }> = {
  info: { edge: 'border-l-water', ink: 'text-link', Icon: Info },
  success: { edge: 'border-l-moss', ink: 'text-moss-text', Icon: CircleCheck },
  warn: { edge: 'border-l-lantern', ink: 'text-lantern-text', Icon: TriangleAlert },
  error: { edge: 'border-l-action', ink: 'text-wine-text', Icon: CircleAlert },
  offline: { edge: 'border-l-ink-soft', ink: 'text-ink-soft', Icon: WifiOff },
}

/** A message on the page. Screen readers say an error at once, the other kinds when they are idle. */
export function Notice({
  kind = 'info',
  title,
  action,
  role,
  children,
}: {
  kind?: Kind
  title?: string
  action?: ReactNode
  /** For another kind that must be said at once too. */
  role?: 'alert'
  children?: ReactNode
}) {
  const { edge, ink, Icon } = looks[kind]
  return (
    <div
      role={role ?? (kind === 'error' ? 'alert' : 'status')}
      className={`flex items-start gap-3 rounded-6 border-2 border-l-8 border-rule bg-surface p-3 pl-3 text-ink ${edge}`}
    >
      <Icon aria-hidden="true" className={`mt-0.5 size-5 shrink-0 ${ink}`} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-[min(100%,16rem)] flex-1 wrap-anywhere">
          {title && <p className="font-semibold">{title}</p>}
          {children}
        </div>
        {action}
      </div>
    </div>
  )
}
