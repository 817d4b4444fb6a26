import { createContext, use, useEffect, useEffectEvent, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { ask } from '../../../kit/browser/ask.ts'
import { callByFetch } from '../../../kit/browser/call-endpoint.ts'
import { Refused } from '../../../kit/browser/forms/Refused.tsx'
import { typedIn } from '../../../kit/browser/forms/typed.ts'
import { useFaults } from '../../../kit/browser/forms/use-faults.ts'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import type { AnswerBody, AnyEndpoint, CallInput } from '../../../kit/shared/endpoint.ts'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import type { Me } from '../../contract.ts'
import { CodeField, CurrentPassword } from '../fields.tsx'

/** Shared by all settings: the account, and callbacks for its changes. */
export interface SettingsParts {
  me: Me
  /** How texts address the person. */
  kind: 'business' | 'user'
  changed: (me: Me) => void
  /** Loads the account again. */
  again: () => void
  showNotice: (text: string) => void
  /** Call after a deletion was requested, which has ended the session. */
  gone: (deletionAt: string) => void
}

export const SettingsContext = createContext<SettingsParts | null>(null)

export function useSettings(): SettingsParts {
  const parts = use(SettingsContext)
  if (!parts) throw new Error('A setting stands outside of the settings')
  return parts
}

/**
 * Whether this part is open. The open part is in the address, so it can be linked to; one at a time. `row`: the row around a part, if
 * the row has several.
 */
export function useOpenRow(id: string, row = id): [open: boolean, set: (open: boolean) => void] {
  const { hash, pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const set = (open: boolean) =>
    void navigate(
      { pathname, search, hash: open ? id : '' },
      { replace: true, preventScrollReset: true, state: state as unknown },
    )
  const isOpen = hash === `#${id}`
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    // The form disappeared with the focus in it: return the focus to the button that opened the row.
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      document.querySelector<HTMLElement>(`#${row} button`)?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen, row])
  return [isOpen, set]
}

/** One setting: name, current value and button. */
export function Row({
  id,
  title,
  value,
  text,
  action,
  children,
}: {
  id: string
  title: string
  value?: ReactNode
  text?: ReactNode
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-24 grid-cols-1 gap-4 border-t-2 border-hair py-5 first:border-t-0 first:pt-0"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-52 gap-1">
          <h3 id={`${id}-title`} tabIndex={-1}>
            {title}
          </h3>
          {value && <div className="[overflow-wrap:anywhere]">{value}</div>}
          {text && <p className="max-w-[52ch] text-sm text-ink-soft">{text}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

/** A setting with a form that opens below it; not while `locked`. `note` is shown while the form is closed. */
export function FormRow<E extends AnyEndpoint>({
  id,
  title,
  value,
  text,
  open: label,
  locked = false,
  note,
  onDone,
  ...form
}: {
  id: string
  title: string
  value?: ReactNode
  text?: ReactNode
  open: string
  locked?: boolean
  note?: ReactNode
  onDone: (answer: AnswerBody<E>, close: () => void, form: FormData) => void | Promise<void>
} & Omit<FormParts<E>, 'onDone' | 'onCancel'>) {
  const [asked, setOpen] = useOpenRow(id)
  const isOpen = asked && !locked
  const close = () => setOpen(false)
  const action = !isOpen && !locked && <Button onClick={() => setOpen(true)}>{label}</Button>
  return (
    <Row id={id} title={title} value={value} text={text} action={action}>
      {isOpen ? <RowForm {...form} onDone={(answer, typed) => onDone(answer, close, typed)} onCancel={close} /> : note}
    </Row>
  )
}

interface FormParts<E extends AnyEndpoint> {
  endpoint: E
  body: (form: FormData) => object
  /** Faults by field that the browser finds. */
  check?: (form: FormData) => Record<string, string> | null
  onDone: (answer: AnswerBody<E>, form: FormData) => void | Promise<void>
  /** Handles a refusal. @returns false: the form shows it */
  onRefused?: (refused: RefusedAnswer) => boolean
  submit: string
  danger?: boolean
  onCancel: () => void
  children: (faults: Record<string, string>) => ReactNode
}

/** Form of an open row. Its button is the only primary one of the page while the row is open. */
export function RowForm<E extends AnyEndpoint>({
  endpoint,
  body,
  check: findFaults,
  onDone,
  onRefused,
  submit,
  danger = false,
  onCancel,
  children,
}: FormParts<E>) {
  const t = useTranslations('settings')
  const common = useTranslations('accountForms')
  const [outcome, setOutcome] = useState<{ refused: RefusedAnswer } | null>(null)
  const [waiting, setWaiting] = useState(false)
  const { form, faults, check } = useFaults(outcome, waiting)
  // The row was just opened: focus its first field.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input:not([hidden]), select')?.focus()
  }, [form])
  const leave = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !waiting) onCancel()
  })
  useEffect(() => {
    const element = form.current
    const listen = (event: KeyboardEvent) => leave(event)
    element?.addEventListener('keydown', listen)
    return () => element?.removeEventListener('keydown', listen)
  }, [form])
  const send = async (event: FormEvent<HTMLFormElement>) => {
    if (!check(event)) return
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const fields = findFaults?.(typed)
    if (fields) return setOutcome({ refused: { status: 400, code: 'invalid_input', error: '', fields } })
    setWaiting(true)
    const { answer, refused } = await ask(callByFetch, endpoint, { as: 'action', body: body(typed) } as CallInput<E>)
    if (answer) await onDone(answer.body, typed)
    setWaiting(false)
    if (refused && !onRefused?.(refused)) setOutcome({ refused: besideField(refused) })
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void send(event)}
      className="grid max-w-form animate-open grid-cols-1 gap-5 rounded-6 border-2 border-rule bg-surface p-4 sm:p-5"
    >
      {outcome && !waiting && <Refused refused={outcome.refused} />}
      {children(faults)}
      <div className="flex flex-wrap gap-3 max-sm:[&>*]:flex-1">
        <Button type="submit" variant={danger ? 'danger' : 'primary'} loading={waiting} loadingText={t('saving')}>
          {submit}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {common('cancel')}
        </Button>
      </div>
    </form>
  )
}

/** A wrong password is shown beside its field. */
function besideField(refused: RefusedAnswer): RefusedAnswer {
  return refused.code === 'wrong_password' && !refused.fields
    ? { ...refused, fields: { password: refused.error } }
    : refused
}

/**
 * Fields for the current password and, if the second factor is on, an authentication code; also if it was just switched on
 * elsewhere.
 */
export function OwnFactors({ faults }: { faults: Record<string, string> }) {
  const t = useTranslations('settings')
  const { me } = useSettings()
  const { password, totp } = faults
  // State, because a form that is being sent has no faults.
  const [isOn, setIsOn] = useState(me.second_factor)
  if (totp && !isOn) setIsOn(true)
  return (
    <>
      {/* tells a password manager whose password it is */}
      <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
      <CurrentPassword label={t('password.now')} error={password} />
      {isOn && <CodeField error={totp} />}
    </>
  )
}

/** What `OwnFactors` asks for. */
export function factorsIn(form: FormData): { password: string; totp: string } {
  const { password, totp } = typedIn(form, 'password', 'totp')
  return { password, totp: totp.trim() }
}
