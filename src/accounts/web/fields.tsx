import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { PasswordField, TextField } from '../../kit/browser/ui/TextField.tsx'
import { passwordStrength } from './password-strength.ts'

export function EmailField(props: {
  id?: string
  label?: string
  help?: ReactNode
  error?: string | undefined
  defaultValue?: string | undefined
  autoComplete?: string
}) {
  const t = useTranslations('accountForms')
  return (
    <TextField
      name="email"
      autoComplete="email"
      label={t('email')}
      {...props}
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  )
}

/** Field for an existing password. */
export function CurrentPassword(props: { id?: string; name?: string; label?: string; error?: string | undefined }) {
  const t = useTranslations('accountForms')
  return (
    <PasswordField
      name="password"
      label={t('password')}
      autoComplete="current-password"
      showLabel={t('showPassword')}
      {...props}
      required
    />
  )
}

const bars = { none: 0, short: 1, long: 1, weak: 1, fair: 2, strong: 3 } as const
const inks = ['bg-hair', 'bg-coral', 'bg-lantern', 'bg-moss'] as const

/** Field for a new password, with a hint about its strength while typing. */
export function NewPassword({
  id,
  name = 'password',
  label,
  error,
  own,
}: {
  id?: string
  name?: string
  label?: string
  error?: string | undefined
  /** Names of other fields of the form (address, name) whose values the password should not contain. */
  own?: string[]
}) {
  const t = useTranslations('accountForms')
  const field = useRef<HTMLInputElement>(null)
  const [hint, setHint] = useState<ReturnType<typeof passwordStrength>>({ strength: 'none', missing: 8 })
  const look = () => {
    const form = field.current?.form
    const others = (own ?? []).map((other) => String((form && new FormData(form).get(other)) ?? ''))
    setHint(passwordStrength(field.current?.value ?? '', others))
  }
  // Typed or filled in by the browser before the script had loaded.
  const lookNow = useRef(look)
  useEffect(() => lookNow.current(), [])
  const { strength, missing } = hint
  return (
    <div className="grid gap-2">
      <PasswordField
        ref={field}
        id={id}
        name={name}
        label={label ?? t('password')}
        autoComplete="new-password"
        showLabel={t('showPassword')}
        error={error}
        onInput={look}
        help={
          <span className="flex items-start gap-3">
            <span aria-hidden="true" className="mt-1 flex h-4 items-end gap-1">
              {[1, 2, 3].map((bar) => (
                <span
                  key={bar}
                  className={`w-2 rounded-6 transition-colors ${bar === 1 ? 'h-1.5' : bar === 2 ? 'h-2.5' : 'h-4'} ${inks[bars[strength] >= bar ? bars[strength] : 0]}`}
                />
              ))}
            </span>
            <span aria-live="polite">{t(`strength.${strength}`, { n: missing })}</span>
          </span>
        }
        required
      />
    </div>
  )
}

/** Field for an authentication code or a recovery code. */
export function CodeField(props: { id?: string; error: string | undefined }) {
  const t = useTranslations('accountForms')
  return (
    <TextField
      {...props}
      name="totp"
      label={t('code')}
      help={t('codeHelp')}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  )
}
