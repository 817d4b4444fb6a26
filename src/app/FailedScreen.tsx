import { isRouteErrorResponse } from 'react-router'
import { useTranslations } from 'use-intl'
import { PageHead } from '../kit/browser/PageHead.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { NothingHere } from './NotFoundScreen.tsx'
import type { RefusedAnswer } from '../kit/shared/refusal.ts'

/** What is shown instead of a screen whose data were refused or that broke. */
export function FailedScreen({ error }: { error: unknown }) {
  const t = useTranslations('errors')
  const { status, text, offline } = readFailure(error)
  if (status === 404)
    return (
      <>
        <PageHead title={text ?? t('notFound')} hidden />
        <NothingHere what={text} />
      </>
    )
  return (
    <>
      <PageHead title={t('wrong')} hidden />
      <ErrorScreen text={status < 500 ? text : null} kind={offline ? 'offline' : status === 503 ? 'busy' : 'broken'} />
    </>
  )
}

/** `text` is the server's sentence where there is a readable one. */
function readFailure(error: unknown): { status: number; text: string | null; offline: boolean } {
  if (!isRouteErrorResponse(error)) return { status: 500, text: null, offline: false }
  const refused = (typeof error.data === 'object' ? error.data : null) as Partial<RefusedAnswer> | null
  return { status: error.status, text: refused?.error || null, offline: refused?.status === 0 }
}
