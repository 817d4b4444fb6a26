import { useId, type ReactNode } from 'react'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { useCorrected } from './use-corrected.ts'

/** The texts of every field: a label above, error and help below. */
export type FieldTexts = {
  label: string
  help?: ReactNode
  /** Shown until the field is corrected; see use-corrected.ts. */
  error?: ReactNode
  /** The error is recomputed with each letter: show it exactly as given. */
  live?: boolean
  /** Shown after the label, e.g. "optional". */
  hint?: string
  /** For screen readers only (search boxes). */
  labelHidden?: boolean
}

/** Attributes that connect a control with its label, help and error. */
type FieldAttributes = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

/** The attributes of a control, its error as long as it stands, and the props of the element around both. */
export function useField({
  id: givenId,
  error: givenError,
  help,
  live = false,
}: Pick<FieldTexts, 'error' | 'help' | 'live'> & { id?: string | undefined }) {
  const ownId = useId()
  const id = givenId ?? ownId
  const [box, isCorrected] = useCorrected(live ? null : givenError)
  const error = isCorrected ? null : givenError
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ') || undefined
  const attributes: FieldAttributes = { id, 'aria-describedby': described, 'aria-invalid': error ? true : undefined }
  return { attributes, error, box }
}

type FieldProps = FieldTexts & { id?: string | undefined; className?: string | undefined }

/** The props of `Field`, and those of its control. */
export function fieldAndControl<Props extends FieldProps>(props: Props) {
  const { label, help, error, live, hint, labelHidden, id, className, ...control } = props
  return { field: { label, help, error, live, hint, labelHidden, id, className }, control }
}

/** Draws the texts of a field; `children` draws the control with the given attributes. */
export function Field({
  children,
  ...field
}: { [Name in keyof FieldProps]: FieldProps[Name] | undefined } & {
  children: (attributes: FieldAttributes) => ReactNode
}) {
  const { label, help, hint, labelHidden, className = '' } = field
  const { attributes, error, box } = useField(field)
  const { id } = attributes
  return (
    <div {...box} className={`grid gap-1.5 ${className}`}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-sm font-semibold'}>
        {label}
        {hint && ` ${hint}`}
      </label>
      {children(attributes)}
      <FieldError id={`${id}-error`}>{error}</FieldError>
      {help && (
        <p id={`${id}-help`} className="text-sm text-ink-soft">
          {help}
        </p>
      )}
    </div>
  )
}

/** The error below a control; nothing without one. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null
  return (
    <p id={id} data-fault className="flex items-start gap-1.5 text-sm font-semibold text-wine-text">
      <CircleAlert aria-hidden="true" className="mt-[0.15em] size-[1.1em] shrink-0" />
      <span>{children}</span>
    </p>
  )
}

/** The box of text fields, text areas and selects. Text of at least 16 px, or iOS zooms into the page. */
export const controlClass =
  'w-full rounded-6 border-2 border-rule bg-surface px-3 py-2 text-base text-ink min-h-11 disabled:bg-well disabled:text-ink-soft aria-invalid:border-wine-text'
