import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import type { LinkProps } from './link-props.ts'
import { Bars } from './Bars.tsx'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'
type Size = 'md' | 'lg'
type Look = { variant?: Variant; size?: Size; wide?: boolean; icon?: ReactNode }

const variants: Record<Variant, string> = {
  primary: 'border-action-rule bg-action text-on-action hover:bg-action-hover',
  secondary: 'border-rule bg-transparent text-ink hover:border-ink hover:bg-ink hover:text-page',
  quiet: 'border-transparent bg-transparent text-ink hover:bg-well',
  danger: 'border-wine-text bg-wine text-on-wine hover:border-ink',
}

function buttonClass({ variant = 'secondary', size = 'md', wide = false }: Look = {}): string {
  const sizes = size === 'lg' ? 'min-h-14 px-[min(1.5rem,6vw)] text-lg' : 'min-h-11 px-[min(1rem,4vw)] text-base'
  return `relative inline-flex max-w-full select-none items-center justify-center gap-2 rounded-6 border-2 py-1.5 text-center font-semibold leading-tight no-underline transition-colors duration-[140ms] active:translate-y-px disabled:opacity-55 aria-busy:opacity-100 ${sizes} ${variants[variant]} ${wide ? 'w-full' : ''}`
}

type ButtonProps = Look &
  ButtonHTMLAttributes<HTMLButtonElement> & { loading?: boolean; loadingText?: string; ref?: Ref<HTMLButtonElement> }

/**
 * At most one `primary` button per screen. `loading` disables the button and shows the bars, with `loadingText`
 * ("Saving...") instead of the label if there is one. For a submit button pass `type="submit"`.
 */
export function Button({
  variant,
  size,
  wide,
  icon,
  loading,
  loadingText,
  children,
  className = '',
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass({ variant, size, wide })} ${className}`}
      disabled={loading || rest.disabled}
      aria-busy={loading || undefined}
    >
      {loading ? <Bars /> : icon}
      {loading && loadingText ? loadingText : children}
    </button>
  )
}

/** A link that looks like a button: for going to a page, not for an action. */
export function ButtonLink({ variant, size, wide, icon, children, className = '', ...rest }: Look & LinkProps) {
  return (
    <a {...rest} className={`${buttonClass({ variant, size, wide })} print-hidden ${className}`}>
      {icon}
      {children}
    </a>
  )
}

/** A square button with an icon; `label` is its accessible name. `pressed` makes it a toggle (a heart, a bell). */
export function IconButton({
  label,
  icon,
  pressed,
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  label: string
  icon: ReactNode
  pressed?: boolean
  ref?: Ref<HTMLButtonElement>
}) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      className={`inline-flex size-11 shrink-0 items-center justify-center rounded-6 border-2 border-transparent text-ink transition-colors hover:bg-well active:translate-y-px disabled:opacity-55 aria-pressed:text-action aria-pressed:[&_svg]:fill-current ${className}`}
    >
      {icon}
    </button>
  )
}
