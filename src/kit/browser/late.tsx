import { createElement, lazy, Suspense, type ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { useConnection } from './connection.ts'
import { Button } from './ui/Button.tsx'
import { Notice } from './ui/Notice.tsx'

/**
 * A part of a screen that few ask for: it is fetched, with texts of its own (the build sees to that), when it is first drawn, so
 * nobody else waits for it. For what is drawn after a click, or for who is known here: a server draws nothing of it. What
 * servers draw as well and has texts that the rest of the page does not say is `import.meta.env.SSR ? Part : late(…)`.
 */
export function late<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Part = lazily(load)
  return function Late(props: Props) {
    return <Suspense>{createElement(Part, props)}</Suspense>
  }
}

/**
 * The same for what servers draw as well, which there is the part itself, in a `Suspense` around both
 * (`import.meta.env.SSR ? Part : lazily(…)`): a page shows it at once, and it comes alive a little later.
 */
export function lazily<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => load().catch(() => ({ default: NotLoaded as ComponentType<Props> })))
}

/** It stays so until the page is loaded again: browsers keep in mind what has failed, and a new version has other files. */
function NotLoaded() {
  const t = useTranslations('errors')
  const { isOffline } = useConnection()
  if (isOffline) return <Notice kind="offline">{t('offlineText')}</Notice>
  return (
    <Notice kind="warn" action={<Button onClick={() => location.reload()}>{t('reload')}</Button>}>
      {t('wrongText')}
    </Notice>
  )
}
