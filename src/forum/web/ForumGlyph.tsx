import BadgePercent from 'lucide-react/icons/badge-percent'
import Handshake from 'lucide-react/icons/handshake'
import KeyRound from 'lucide-react/icons/key-round'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import ListMusic from 'lucide-react/icons/list-music'
import Megaphone from 'lucide-react/icons/megaphone'
import TramFront from 'lucide-react/icons/tram-front'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import type { ForumCategory } from '../limits.ts'

const glyphs: Record<ForumCategory, typeof Megaphone> = {
  announcements: Megaphone,
  'line-up': ListMusic,
  'food-deals': BadgePercent,
  'getting-around': TramFront,
  'meet-ups': Handshake,
  'lost-found': KeyRound,
  help: LifeBuoy,
}

/** The glyph of a forum category on a neutral tile: hues belong to categories of deals and events. */
export function ForumGlyph({ category, className = 'size-10' }: { category: ForumCategory; className?: string }) {
  const Glyph = glyphs[category]
  return (
    <span className={`grid shrink-0 place-items-center rounded-6 bg-well text-ink ${className}`}>
      <Glyph aria-hidden="true" className="size-[62%]" />
    </span>
  )
}

/** A forum category by name and glyph. */
export function ForumTag({ category }: { category: ForumCategory }) {
  const t = useTranslations('forum')
  const Glyph = glyphs[category]
  return <Badge icon={<Glyph aria-hidden="true" className="size-4" />}>{t(`category.${category}`)}</Badge>
}
