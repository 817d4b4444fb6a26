import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { FieldError, useField } from './Field.tsx'

type ChoiceProps = InputHTMLAttributes<HTMLInputElement> & {
  label: ReactNode
  help?: ReactNode
  error?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** A checkbox; its label is clickable too. */
export function Checkbox(props: ChoiceProps) {
  return (
    <Choice
      type="checkbox"
      {...props}
      shape="rounded-6 after:h-[0.45rem] after:w-[0.8rem] after:-translate-y-[2px] after:-rotate-45 after:border-b-[3px] after:border-l-[3px] after:border-on-action"
    />
  )
}

/** One of several choices: give all of them the same `name`, inside a `<fieldset>` with a `<legend>`. */
export function Radio(props: ChoiceProps) {
  return <Choice type="radio" {...props} shape="rounded-full after:size-2.5 after:rounded-full after:bg-on-action" />
}

function Choice({ label, help, error: givenError, shape, className = '', ...input }: ChoiceProps & { shape: string }) {
  const { attributes, error, box } = useField({ id: input.id, error: givenError, help })
  const { id } = attributes
  return (
    <div {...box} className={className}>
      <label htmlFor={id} className="flex min-h-11 w-fit items-start gap-3 py-2.5">
        <input
          {...input}
          {...attributes}
          className={`grid size-6 shrink-0 appearance-none place-items-center border-2 border-rule bg-surface transition-colors after:opacity-0 checked:bg-action checked:after:opacity-100 aria-invalid:border-wine-text disabled:opacity-55 ${shape}`}
        />
        <span className="min-w-0 wrap-anywhere">{label}</span>
      </label>
      <FieldError id={`${id}-error`}>{error}</FieldError>
      {help && (
        <p id={`${id}-help`} className="pl-9 text-sm text-ink-soft">
          {help}
        </p>
      )}
    </div>
  )
}
