import type { ImgHTMLAttributes, ReactNode } from 'react'
import type { LinkProps } from './link-props.ts'

type Layout = 'stack' | 'row' | 'auto'

/** On phones the picture gets narrower with large text. */
const layouts: Record<Layout, string> = {
  stack: 'grid-rows-[auto_1fr]',
  row: 'grid-cols-[clamp(2.5rem,75vw-8rem,7rem)_minmax(0,1fr)]',
  auto: 'max-sm:grid-cols-[clamp(2.5rem,75vw-8rem,7rem)_minmax(0,1fr)] sm:grid-rows-[auto_1fr]',
}

/**
 * A box with a 2 px border. With `picture`: picture and text, stacked, in a row, or `auto` (a row on phones). One `CardLink`
 * inside makes the whole card clickable; other buttons inside need `relative`, to lie above the link.
 */
export function Card({
  picture,
  layout = 'stack',
  as: Tag = 'article',
  className = '',
  children,
}: {
  picture?: ReactNode
  layout?: Layout
  as?: 'article' | 'section' | 'li' | 'div'
  className?: string
  children: ReactNode
}) {
  const sheet = `group/card relative rounded-6 border-2 border-rule bg-surface ${className}`
  if (!picture) return <Tag className={`${sheet} p-4`}>{children}</Tag>
  return (
    <Tag className={`${sheet} grid overflow-clip has-[a:focus-visible]:overflow-visible ${layouts[layout]}`}>
      <div className={`relative border-rule bg-well ${frames[layout]}`}>{picture}</div>
      <div className="flex min-w-0 flex-col gap-1.5 p-3 sm:p-4">{children}</div>
    </Tag>
  )
}

const frames: Record<Layout, string> = {
  stack: 'aspect-[4/3] border-b-2',
  row: 'min-h-28 border-r-2',
  auto: 'max-sm:min-h-28 max-sm:border-r-2 sm:aspect-[4/3] sm:border-b-2',
}

/** The title of a card, as a link that covers the whole card. */
export function CardLink({ className = '', children, ...props }: LinkProps) {
  return (
    <a
      {...props}
      className={`text-ink no-underline decoration-action decoration-3 underline-offset-4 group-hover/card:underline after:absolute after:inset-0 after:rounded-6 focus-visible:shadow-none focus-visible:outline-none focus-visible:after:shadow-[0_0_0_2px_var(--color-focus-edge),0_0_0_7px_var(--color-focus-edge)] focus-visible:after:outline-3 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus ${className}`}
    >
      {children}
    </a>
  )
}

/** The picture of a card: 4:3, cropped; its place is reserved while it loads. `eager` for pictures above the fold. */
export function CardPicture({
  eager = false,
  ...img
}: ImgHTMLAttributes<HTMLImageElement> & { src: string; eager?: boolean }) {
  return (
    <img
      alt=""
      width={800}
      height={600}
      decoding="async"
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
      // without a network: the background instead of a broken picture
      onError={({ currentTarget }) => (currentTarget.style.visibility = 'hidden')}
      {...img}
      className="absolute inset-0 size-full object-cover"
    />
  )
}
