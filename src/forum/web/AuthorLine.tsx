import { useTranslations } from 'use-intl'
import { isStaff } from '../../accounts/policy.ts'
import { Badge } from '../../brand/Badge.tsx'
import { memberPage } from '../../site-map.ts'
import type { Author } from '../contract.ts'

/** The author's name, with a link to their card unless the account was deleted. */
export function AuthorName({ author, className = '' }: { author: Author; className?: string }) {
  const t = useTranslations('forum')
  if (author.handle === null || author.name === null)
    return <span className={`text-ink-soft italic ${className}`}>{t('deletedUser')}</span>
  return (
    <a
      href={memberPage(author.handle)}
      className={`target font-semibold text-ink no-underline hover:underline [overflow-wrap:anywhere] ${className}`}
    >
      {author.name}
    </a>
  )
}

/** Marks staff and merchants. */
export function RoleBadge({ role }: { role: Author['role'] }) {
  const t = useTranslations('forum')
  if (isStaff(role)) return <Badge tone="ink">{t('staff')}</Badge>
  if (role === 'business') return <Badge>{t('merchant')}</Badge>
  return null
}

/** The first letter of the name on a colour of the member. Hidden from screen readers: the name stands beside it. */
export function Initial({ author }: { author: Author }) {
  const hue =
    hues[[...author.member_id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 997, 7) % hues.length]!
  const first = [...(author.name?.trim() ?? '')][0]?.toUpperCase() ?? '–'
  return (
    <span
      aria-hidden="true"
      className={`figure grid size-11 shrink-0 place-items-center overflow-clip rounded-6 border-2 border-rule text-lg leading-none ${hue}`}
    >
      {first}
    </span>
  )
}

const hues = [
  'bg-food text-on-food',
  'bg-drinks text-on-drinks',
  'bg-nightlife text-on-nightlife',
  'bg-shopping text-on-shopping',
  'bg-culture text-on-culture',
  'bg-wellness text-on-wellness',
  'bg-music text-on-music',
  'bg-workshop text-on-workshop',
  'bg-family text-on-family',
  'bg-sport text-on-sport',
]
