import { useState, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { controlClass, Field, fieldAndControl, type FieldTexts } from './Field.tsx'

type TextFieldProps = FieldTexts &
  InputHTMLAttributes<HTMLInputElement> & {
    /** A unit before or after the value: CHF, km, %. */
    before?: ReactNode
    after?: ReactNode
    ref?: Ref<HTMLInputElement>
  }

/** One line of text. Pass the right `type`, `inputMode` and `autoComplete`: all other props go to the `<input>`. */
export function TextField({ before, after, ...props }: TextFieldProps) {
  const { field, control } = fieldAndControl(props)
  return (
    <Field {...field}>
      {(attributes) => (
        <span className="relative flex items-center">
          {before && <span className="pointer-events-none absolute left-3 text-ink-soft">{before}</span>}
          <input
            type="text"
            {...control}
            {...attributes}
            className={`${controlClass} ${before ? 'pl-14' : ''} ${after ? 'pr-14' : ''}`}
          />
          {after && <span className="absolute right-0 flex min-w-11 justify-center text-ink-soft">{after}</span>}
        </span>
      )}
    </Field>
  )
}

/** A password with a button that shows it (with JavaScript); `showLabel` names the button ("Show password"). */
export function PasswordField({ showLabel, ...props }: TextFieldProps & { showLabel: string }) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      after={
        <button
          type="button"
          aria-label={showLabel}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="flex size-11 items-center justify-center rounded-6 text-ink noscript:hidden"
        >
          <Icon aria-hidden="true" className="size-5" />
        </button>
      }
    />
  )
}
