import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Anchor } from '../../kit/browser/ui/Anchor.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'

/** A link in a sentence. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} className="link target">
      {children}
    </Anchor>
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

/** What stands in a form's place where no script runs. */
export function NoScript({ kind }: { kind: 'login' | 'settings' | 'dashboard' | 'google' }) {
  const t = useTranslations('accountForms')
  return (
    <noscript>
      <Notice kind="warn">{t(`noScript.${kind}`)}</Notice>
    </noscript>
  )
}
