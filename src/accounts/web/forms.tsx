import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { LateScript } from './parts.tsx'

/** Fields of the login that are stored as a draft: after "Forgot password" the address is filled in. */
export const loginDraftNames = ['email'] as const

/**
 * Button of a form whose specified steps need a script (waiting, counting down, storing a session). Pressed before the script has
 * loaded, it waits (`app/boot/early-submit.ts`) and says so after a while. `native`: without JavaScript another button sends the form
 * as it is.
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
