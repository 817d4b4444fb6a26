import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'

/** A link in a sentence. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="link target">
      {children}
    </a>
  )
}

/** What has happened, in place of the form that was there: read aloud next. */
export function Happened({ children }: { children: ReactNode }) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus(), [])
  return (
    <p ref={text} tabIndex={-1} className="max-w-[44ch] text-lg">
      {children}
    </p>
  )
}

/** In the demo, where the mail has landed; nothing where mails are really sent. */
export function DemoMail({ path }: { path: string | null }) {
  const t = useTranslations('accountForms')
  if (!path) return null
  return (
    <p className="text-sm">{t.rich('demoMail', { link: (chunks) => <TextLink href={path}>{chunks}</TextLink> })}</p>
  )
}

/**
 * For as long as the page is not alive: shows itself after some seconds (by the style sheet alone) and says what to do when
 * the script is slow or never comes. `action` works without it; by default the page is loaded again.
 */
export function LateScript({ kind, action }: { kind: 'login' | 'signup' | 'page'; action?: ReactNode }) {
  const t = useTranslations('accountForms')
  const { pathname, search } = useLocation()
  if (useHydrated()) return null
  return (
    <div className="when-script-is-late noscript:hidden">
      <Notice kind="warn" action={action ?? <ButtonLink href={pathname + search}>{t('late.again')}</ButtonLink>}>
        {t(`late.${kind}`)}
      </Notice>
    </div>
  )
}

/** What stands in a form's place where no script runs. */
export function NoScript({
  kind,
}: {
  kind:
    | 'login'
    | 'logout'
    | 'settings'
    | 'dashboard'
    | 'codes'
    | 'redeem'
    | 'google'
    | 'writing'
    | 'notifications'
    | 'staff'
}) {
  const t = useTranslations('accountForms')
  return (
    <noscript>
      <Notice kind="warn">{t(`noScript.${kind}`)}</Notice>
    </noscript>
  )
}
