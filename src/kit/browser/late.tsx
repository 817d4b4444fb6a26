import { createElement, lazy, Suspense, type ComponentType } from 'react'
import { useTranslations } from 'use-intl'
import { Notice } from './ui/Notice.tsx'

/**
 * A part of a screen that few ask for: it is fetched, with texts of its own (the build sees to that), when it is first drawn, so
 * nobody else waits for it. Only for what is drawn after a click, or for who is known here: a server draws nothing of it.
 */
export function late<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Part = lazy(() => load().catch(() => ({ default: NotLoaded as ComponentType<Props> })))
  return function Late(props: Props) {
    return <Suspense>{createElement(Part, props)}</Suspense>
  }
}

function NotLoaded() {
  const t = useTranslations('errors')
  return <Notice kind="offline">{t('offlineText')}</Notice>
}
