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
    <svg viewBox="0 0 16 16" aria-hidden="true" className={`shrink-0 ${className}`}>
      <path d="M7.2 0h1.6v1.5h2v1.8H5.2V1.5h2zM4.6 4.3h6.8C13.1 5.4 14 6.8 14 8.3s-.9 2.9-2.6 4H4.6C2.9 11.2 2 9.8 2 8.3s.9-2.9 2.6-4zM5.2 13.3h5.6v1.5h-2V16H7.2v-1.2h-2z" />
    </svg>
  )
}
