import { useCallback, useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useNavigation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { focusFirst } from '../../kit/browser/focus-first.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { LateScript } from './parts.tsx'

/** Values of a form but for secrets, to be drawn again where no script keeps them. */
export type Typed = Record<string, string>

/** Texts of a form by name; files and what is absent are ''. Line ends as the writer made them: forms send CR LF. */
export function typedIn(form: FormData, ...names: string[]): Typed {
  return Object.fromEntries(
    names.map((name) => {
      const value = form.get(name)
      return [name, typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '']
    }),
  )
}

export async function formOf(request: Request): Promise<FormData> {
  return request.formData().catch(() => new FormData())
}

/** What a login keeps of its form: for whoever has forgotten the password the address goes along to the page that helps. */
export const loginKeptNames = ['email'] as const

/** True while this very form is on its way; a page may have several, told apart by their `action`. */
export function useSending(path: string): boolean {
  const { state, formAction } = useNavigation()
  return state !== 'idle' && formAction?.split(/[?#]/)[0] === path
}

/**
 * What is wrong with a form, by field: what the browser sees at once (nothing is sent then) and what the server said.
 * The first wrong field gets the focus. `outcome` is a new object for each answer. `values` of a draft: what was said of a value
 * is dropped once it is another one.
 */
export function useFaults(
  outcome: { refused: RefusedAnswer } | null | undefined,
  sending: boolean,
  values: Record<string, string> = {},
) {
  const t = useTranslations('accountForms')
  const form = useRef<HTMLFormElement>(null)
  const [seen, setSeen] = useState<Record<string, string>>({})
  const said = outcome?.refused.fields
  const [sent, setSent] = useState({ outcome, values })
  if (sent.outcome !== outcome) setSent({ outcome, values })
  const standing = Object.entries(said ?? {}).filter(([name]) => values[name] === sent.values[name])
  const faults: Record<string, string> = sending ? {} : { ...Object.fromEntries(standing), ...seen }

  useEffect(() => {
    focusFirst(form.current, said)
  }, [outcome, said])

  const check = useCallback(
    (event: FormEvent<HTMLFormElement>): boolean => {
      const found: Record<string, string> = {}
      for (const control of event.currentTarget.elements) {
        const { name, type, validity } = control as HTMLInputElement
        if (!name || !validity || validity.valid || found[name]) continue
        // the only box that must be ticked is that of the terms
        found[name] = validity.typeMismatch ? t('emailWrong') : t(type === 'checkbox' ? 'terms' : 'required')
      }
      setSeen(found)
      if (Object.keys(found).length === 0) return true
      event.preventDefault()
      focusFirst(event.currentTarget, found)
      return false
    },
    [t],
  )
  return { form, faults, check, setSeen }
}

/**
 * A form that the action of the page at `path` answers: what `<Form>` takes, what is wrong with it by field, and whether it is
 * on its way.
 */
export function usePageForm(path: string, outcome: { refused: RefusedAnswer } | null | undefined) {
  const sending = useSending(path)
  const { form: ref, faults, check } = useFaults(outcome, sending)
  const form = {
    ref,
    method: 'post',
    action: path,
    noValidate: true,
    onSubmit: check,
    className: 'grid grid-cols-1 gap-5',
  } as const
  return { form, faults, sending }
}

/**
 * Sends a form whose specified steps only a script can do (waiting, counting down, keeping a session): pressed before the
 * page is alive, it waits those few moments (`app/boot/early-submit.ts`), and says so when they become many. `native`:
 * without JavaScript, or when the script does not come, there is another one, which sends the form as it is.
 */
export function SubmitButton({
  sending,
  sendingText,
  native = false,
  children,
}: {
  sending: boolean
  sendingText: string
  native?: boolean
  children: ReactNode
}) {
  const t = useTranslations('accountForms')
  const alive = useHydrated()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const pressed = button.current
    if (!alive || !pressed?.ariaBusy) return
    pressed.ariaBusy = null
    pressed.form?.requestSubmit(pressed)
  }, [alive])
  const look = { type: 'submit', variant: 'primary', size: 'lg', wide: true } as const
  return (
    <>
      <Button
        {...look}
        ref={button}
        data-waits={alive ? undefined : ''}
        loading={sending}
        loadingText={sendingText}
        icon={
          alive ? undefined : (
            <span className="hidden in-aria-busy:inline">
              <Bars />
            </span>
          )
        }
        className="noscript:hidden"
      >
        {children}
      </Button>
      {native && (
        <noscript>
          <Button {...look}>{children}</Button>
        </noscript>
      )}
      <LateScript
        kind={native ? 'signup' : 'login'}
        action={native ? <Button type="submit">{t('late.send')}</Button> : undefined}
      />
    </>
  )
}

/**
 * Why nothing happened: wrong fields, a refusal in the server's words, or no answer at all. `tapped`: by a single button or
 * box, so there is nothing typed to speak of.
 */
export function Refused({ refused, tapped = false }: { refused: RefusedAnswer; tapped?: boolean }) {
  const t = useTranslations('accountForms')
  const count = Object.keys(refused.fields ?? {}).length
  return (
    <InSight>
      {count > 0 ? (
        <div className="while-faulty">
          <Notice kind="error">{t('check', { count })}</Notice>
        </div>
      ) : refused.status === 0 ? (
        <Notice kind="offline">{t(tapped ? 'offlineTap' : 'offline')}</Notice>
      ) : (
        <Notice kind="error">{refused.error || t(tapped ? 'failedTap' : 'failed')}</Notice>
      )}
    </InSight>
  )
}

/** What has just happened must be seen: the button was tapped at the foot of a form that may be longer than the screen. */
export function InSight({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // in braces: newer browsers answer with a promise, and React takes what an effect returns for its end
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={place} className="scroll-my-24">
      {children}
    </div>
  )
}
