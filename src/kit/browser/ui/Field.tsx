import { useId, type ReactNode } from 'react'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { useMended } from './use-mended.ts'

/** What every field takes: a label above, help below, and the refusal where the eye is. */
export type FieldTexts = {
  label: string
  help?: ReactNode
  /** It is shown until the field is put right; see use-mended.ts. */
  error?: ReactNode
  /** The error changes with each letter: it is shown as it is given, not until the field is put right. */
  live?: boolean
  /** Shown behind the label, e.g. "optional". */
  hint?: string
  /** The label is read aloud but not drawn (search boxes only). */
  labelHidden?: boolean
}

/** Attributes that tie a control to its label, help and error. */
export type FieldWires = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

/** Frame of a field: draws the texts and hands the control its wires. */
export function Field({
  label,
  help,
  error: said,
  live = false,
  hint,
  labelHidden,
  id: givenId,
  className = '',
  children,
}: FieldTexts & { id?: string; className?: string; children: (wires: FieldWires) => ReactNode }) {
  const ownId = useId()
  const id = givenId ?? ownId
  const [box, isMended] = useMended(live ? null : said)
  const error = isMended ? null : said
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ') || undefined
  return (
    <div {...box} className={`grid gap-1.5 ${className}`}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-sm font-semibold'}>
        {label}
        {hint && <span className="font-normal text-ink-soft"> {hint}</span>}
      </label>
      {children({ id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined })}
      <FieldError id={`${id}-error`}>{error}</FieldError>
      {help && (
        <p id={`${id}-help`} className="text-sm text-ink-soft">
          {help}
        </p>
      )}
    </div>
  )
}

/** The refusal below a control; nothing when there is none. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null
  return (
    <p id={id} data-fault className="flex items-start gap-1.5 text-sm font-semibold text-wine-text">
      <CircleAlert aria-hidden="true" className="mt-[0.15em] size-[1.1em] shrink-0" />
      <span>{children}</span>
    </p>
  )
}

/** The drawn box shared by text fields, text areas and selects. 16 px at least, or iOS zooms into the page. */
export const controlClass =
  'w-full rounded-6 border-2 border-rule bg-surface px-3 py-2 text-base text-ink min-h-11 disabled:bg-well disabled:text-ink-soft aria-invalid:border-wine-text'
