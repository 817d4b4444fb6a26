import { createContext, use, useEffect, useEffectEvent, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import type { Me } from '../../contract.ts'
import { Refused } from '../../../kit/browser/forms/Refused.tsx'
import { useFaults } from '../../../kit/browser/forms/use-faults.ts'

/** Shared by all settings: the account, and callbacks for its changes. */
export interface SettingsParts {
  me: Me
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

/**
 * Form of an open row. `send` returns the refusal or null; a wrong password is shown beside its field. `action`: label of the button,
 * the only primary one of the page while the row is open.
 */
export function RowForm({
  submit,
  sending,
  danger = false,
  onCancel,
  send,
  children,
}: {
  submit: string
  sending: string
  danger?: boolean
  onCancel?: () => void
  send: (form: FormData) => Promise<RefusedAnswer | null>
  children: ReactNode
}) {
  const common = useTranslations('accountForms')
  const [outcome, setOutcome] = useState<{ refused: RefusedAnswer } | null>(null)
  const [waiting, setWaiting] = useState(false)
  const { form, faults, check } = useFaults(outcome, waiting)
  // The row was just opened: focus its first field.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input:not([hidden]), select')?.focus()
  }, [form])
  const leave = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !waiting) onCancel?.()
  })
  useEffect(() => {
    const element = form.current
    const listen = (event: KeyboardEvent) => leave(event)
    element?.addEventListener('keydown', listen)
    return () => element?.removeEventListener('keydown', listen)
  }, [form])
  const submitForm = async (event: FormEvent<HTMLFormElement>) => {
    if (!check(event)) return
    event.preventDefault()
    setWaiting(true)
    const refused = await send(new FormData(event.currentTarget))
    setWaiting(false)
    if (refused) setOutcome({ refused: besideField(refused) })
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void submitForm(event)}
      className="grid max-w-form animate-open grid-cols-1 gap-5 rounded-6 border-2 border-rule bg-surface p-4 sm:p-5"
    >
      {outcome && !waiting && <Refused refused={outcome.refused} />}
      <FaultsContext value={faults}>{children}</FaultsContext>
      <div className="flex flex-wrap gap-3 max-sm:[&>*]:flex-1">
        <Button type="submit" variant={danger ? 'danger' : 'primary'} loading={waiting} loadingText={sending}>
          {submit}
        </Button>
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            {common('cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}

const FaultsContext = createContext<Record<string, string>>({})

/** Error message of a field in the surrounding `RowForm`. */
export function useFault(name: string): string | undefined {
  return use(FaultsContext)[name]
}

function besideField(refused: RefusedAnswer): RefusedAnswer {
  return refused.code === 'wrong_password' && !refused.fields
    ? { ...refused, fields: { password: refused.error } }
    : refused
}
