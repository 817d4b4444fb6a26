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
      <path d="M7 0h2v1h2v2H5V1h2zM5 4h6q3 1.5 3 4t-3 4H5q-3-1.5-3-4t3-4zm1 1q-2 3 0 6h1q-2-3 0-6zm3 0q2 3 0 6h1q2-3 0-6zM5 13h6v2H9v1H7v-1H5z" />
    </svg>
  )
}
