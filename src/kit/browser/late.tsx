import { createElement, lazy, Suspense, type ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { useConnection } from './connection.ts'
import { Button } from './ui/Button.tsx'
import { Notice } from './ui/Notice.tsx'

/**
 * A part of a screen that few people need. Its code and its texts are loaded when it is first drawn; the server draws
 * nothing of it. Use it for parts that appear after a click or a login. A part with texts of its own that the server draws
 * too is `import.meta.env.SSR ? suspended(Part) : late(…)`.
 */
export function late<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return suspended<Props>(lazily(load))
}

/** A part in the `Suspense` that `late` has too: hydration finds the same elements. */
export function suspended<Props extends object>(Part: ComponentType<Props>) {
  return function Suspended(props: Props) {
    return <Suspense>{createElement(Part, props)}</Suspense>
  }
}

/**
 * A part that the server draws too and that hydrates a little later: `import.meta.env.SSR ? Part : lazily(…)`, inside a
 * `Suspense`.
 */
export function lazily<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => load().catch(() => ({ default: NotLoaded as ComponentType<Props> })))
}

/** Only a reload helps: browsers cache a failed import, and after an update the file may be gone. */
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
