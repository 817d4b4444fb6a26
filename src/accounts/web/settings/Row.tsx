import { createContext, use, useEffect, useEffectEvent, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import type { Me } from '../../contract.ts'
import { Refused } from '../../../kit/browser/forms/Refused.tsx'
import { useFaults } from '../../../kit/browser/forms/use-faults.ts'

/** What every setting needs: the account, what to do with a changed one, and a place for a short success. */
export interface SettingsParts {
  me: Me
  changed: (me: Me) => void
  /** Asks for the account once more. */
  again: () => void
  tell: (text: string) => void
  /** The account will be deleted: nobody is logged in here any more. */
  gone: (deletionAt: string) => void
}

export const SettingsContext = createContext<SettingsParts | null>(null)

export function useSettings(): SettingsParts {
  const parts = use(SettingsContext)
  if (!parts) throw new Error('A setting stands outside of the settings')
  return parts
}

/**
 * Which row is open stands in the address, so that it can be linked to; one at a time. `row`: the row it lies in, where it
 * has several things to open.
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
    // its form went with the focus in it: the keyboard goes on where it opened the row
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      document.querySelector<HTMLElement>(`#${row} button`)?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen, row])
  return [isOpen, set]
}

/** One setting: its name, what it is now, and what to do about it. */
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
 * The form of an open row. `send` gives the refusal or null; a wrong password is said beside its field. `action` names
 * what the button does; it is the one primary of the page while the row is open.
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
  // the row was just opened by its button: its first field is next
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

/** What is wrong with a field of the `RowForm` around it. */
export function useFault(name: string): string | undefined {
  return use(FaultsContext)[name]
}

function besideField(refused: RefusedAnswer): RefusedAnswer {
  return refused.code === 'wrong_password' && !refused.fields
    ? { ...refused, fields: { password: refused.error } }
    : refused
}
