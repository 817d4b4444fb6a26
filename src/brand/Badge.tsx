import type { ReactNode } from 'react'
import { categoryFill, type Category } from './category.ts'
import { CategoryGlyph } from './CategoryGlyph.tsx'

export type Tone = 'plain' | 'ink' | 'lantern' | 'coral' | 'moss' | 'wine'

const tones: Record<Tone, string> = {
  plain: 'border-rule bg-surface text-ink',
  ink: 'border-ink bg-ink text-page',
  lantern: 'border-night bg-lantern text-on-lantern',
  coral: 'border-night bg-action text-on-action',
  moss: 'border-moss bg-moss text-on-moss',
  wine: 'border-wine bg-wine text-on-wine',
}
const shape =
  'inline-flex min-h-6 w-fit max-w-full shrink-0 items-center gap-1 rounded-6 border-2 px-1.5 text-xs font-semibold leading-[1.1]'

/** A short fact: "Last chance", "Sold out", "−20 %". Not a button. */
export function Badge({ tone = 'plain', icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={`${shape} ${tones[tone]}`}>
      {icon}
      {children}
    </span>
  )
}

/** Marks a paid place by the word alone ("Sponsored"). */
export function SponsoredBadge({ children }: { children: ReactNode }) {
  return <Badge tone="lantern">{children}</Badge>
}

/** Marks what belongs to a paid plan: the lantern and the word ("Premium"). */
export function PremiumBadge({ children }: { children: ReactNode }) {
  return (
    <Badge tone="lantern" icon={<LanternShape />}>
      {children}
    </Badge>
  )
}

/** A category with its hue and glyph; `children` is its name. */
export function CategoryTag({ category, children }: { category: Category; children: ReactNode }) {
  return (
    <span className={`${shape} border-transparent pl-1 ${categoryFill[category]}`}>
      <CategoryGlyph category={category} className="size-4" />
      {children}
    </span>
  )
}

/** The star of ratings, and of nothing else. */
export function StarShape({ className = 'size-3.5 fill-current' }: { className?: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={`shrink-0 ${className}`}>
      <path d="m8 .8 2.1 4.6 5 .6-3.7 3.4 1 4.9L8 11.8l-4.4 2.5 1-4.9L.9 6l5-.6z" />
    </svg>
  )
}

/** The paper lantern of Premium: on cards, lists, pins and tiers. */
export function LanternShape({ className = 'size-3.5 fill-current' }: { className?: string }) {
  return (
    <svg viewBox="0 0 16 16" fillRule="evenodd" aria-hidden="true" className={`shrink-0 ${className}`}>
      <path d="M7.3 0h1.4v1.2h2v1.6H5.3V1.2h2zM4.7 3.7h6.6c2 .9 3.2 2.6 3.2 4.5s-1.2 3.6-3.2 4.5H4.7c-2-.9-3.2-2.6-3.2-4.5s1.2-3.6 3.2-4.5zM5.5 5c-1.3 1.9-1.3 4.5 0 6.4h1.1c-1.3-1.9-1.3-4.5 0-6.4zM9.4 5c1.3 1.9 1.3 4.5 0 6.4h1.1c1.3-1.9 1.3-4.5 0-6.4zM5.3 13.6h5.4v1.2h-2V16H7.3v-1.2h-2z" />
    </svg>
  )
}
