import Bell from 'lucide-react/icons/bell'
import { useTranslations } from 'use-intl'
import { page } from '../../site-map.ts'

const shownAtMost = 9

export function BellLink({ unread, className }: { unread: number; className: string }) {
  const t = useTranslations('bell')
  return (
    <a
      href={page.notifications}
      aria-label={t('label', { n: unread })}
      className={`relative grid size-11 place-items-center rounded-6 text-ink hover:bg-well ${className}`}
    >
      <Bell aria-hidden="true" className="size-6" />
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="figure absolute top-0.5 right-0 min-w-5 rounded-full bg-action px-1 text-center text-xs leading-5 font-bold text-on-action"
        >
          {unread > shownAtMost ? `${shownAtMost}+` : unread}
        </span>
      )}
    </a>
  )
}
