import { isRouteErrorResponse } from 'react-router'
import { useTranslations } from 'use-intl'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { NothingHere } from './NotFoundScreen.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'

export function FailedScreen({ error }: { error: unknown }) {
  const t = useTranslations('errors')
  const { status, text, offline, unread } = readFailure(error)
  if (status === 404)
    return (
      <>
        <PageHead title={text ?? t('notFound')} hidden />
        <NothingHere what={text} />
      </>
    )
  return (
    <>
      <PageHead title={t(unread ? 'notLoaded' : offline ? 'offline' : 'wrong')} hidden />
      <ErrorScreen
        text={text}
        kind={offline ? 'offline' : status === 503 ? 'busy' : unread ? 'unread' : 'broken'}
        title={unread ? t('notLoaded') : undefined}
      />
    </>
  )
}

/** `text`: the server's sentence, if it can be read; `unread`: the server answered, but refused. */
function readFailure(error: unknown) {
  if (!isRouteErrorResponse(error)) return { status: 500, text: null, offline: false, unread: false }
  const refused = (typeof error.data === 'object' ? error.data : null) as Partial<RefusedAnswer> | null
  const isAnswer = typeof refused?.code === 'string' && refused.status !== 0 && refused.status !== 503
  return { status: error.status, text: refused?.error || null, offline: refused?.status === 0, unread: isAnswer }
}
