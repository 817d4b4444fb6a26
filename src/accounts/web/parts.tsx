import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'

/** Link in a sentence. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="link target">
      {children}
    </a>
  )
}

/** Message in place of the form that was sent; screen readers go on with it. */
export function Happened({ children }: { children: ReactNode }) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus(), [])
  return (
    <p ref={text} tabIndex={-1} className="max-w-[44ch] text-lg">
      {children}
    </p>
  )
}

/** Link to the demo's mailbox. @param path null: mails are really sent */
export function DemoMail({ path }: { path: string | null }) {
  const t = useTranslations('accountForms')
  if (!path) return null
  return (
    <p className="text-sm">{t.rich('demoMail', { link: (chunks) => <TextLink href={path}>{chunks}</TextLink> })}</p>
  )
}

/**
 * Notice for a script that is slow or never loads. The style sheet shows it after some seconds, until the page has hydrated. `action`
 * must work without a script; default: reload.
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

/** Shown in place of a form without JavaScript. */
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
