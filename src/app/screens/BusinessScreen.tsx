import 'texts:business,categories,deals,placeMap'
import { Suspense, use, useDeferredValue, useState } from 'react'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { pageError } from '../../kit/browser/ask.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Bars } from '../../kit/browser/ui/Bars.tsx'
import { ThingPage } from '../../kit/browser/ui/Page.tsx'
import { Skeleton } from '../../kit/browser/ui/Skeleton.tsx'
import { useRefreshWhenStale } from '../../kit/browser/use-refresh-when-stale.ts'
import { isTemporary, type RefusedAnswer } from '../../kit/shared/refusal.ts'
import { BusinessPage } from './business/BusinessPage.tsx'
import { profileOf, type Profile } from './business/profile.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { NothingHere } from './NotFoundScreen.tsx'

/** On the server everything is loaded first, so that an unknown business is a 404. */
async function load({ context, params }: LoaderFunctionArgs) {
  const profile = await profileOf(context, params['business_id'] ?? '')
  if (!('business' in profile)) throw pageError(profile)
  return { businessId: profile.business.business_id, profile }
}

/** In the browser the screen opens at once, with a loading line. */
function loadInBrowser({ context, params }: LoaderFunctionArgs) {
  const business_id = params['business_id'] ?? ''
  return { businessId: business_id, profile: profileOf(context, business_id) }
}
export { load as loader, loadInBrowser as clientLoader }

export default function BusinessScreen() {
  const { businessId, profile } = useLoaderData() as { businessId: string; profile: LoadedProfile }
  return (
    <Suspense key={businessId} fallback={<Loading />}>
      <Arriving profile={profile} />
    </Suspense>
  )
}

type LoadedProfile = Profile | Promise<Profile | RefusedAnswer>

/** The page, from the document or loaded by the browser. One component for both, so that a refresh does not mount the page again. */
function Arriving({ profile }: { profile: LoadedProfile }) {
  const t = useTranslations('business')
  const [isAwaited] = useState(profile instanceof Promise)
  // the shown profile stays while a new one loads
  const latest = useDeferredValue(profile)
  // in this component, because only the arrived profile says whether it came from a cache
  useRefreshWhenStale(latest)
  const answer = latest instanceof Promise ? use(latest) : latest
  const [known, setKnown] = useState<Profile | null>(null)
  if ('business' in answer && answer !== known) setKnown(answer)
  // the known profile stays too when the refresh fails for now
  const arrived = !('business' in answer) && isTemporary(answer) && known ? known : answer
  if ('business' in arrived) return <BusinessPage {...arrived} hasArrived={isAwaited} />
  if (arrived.status === 404)
    return (
      <>
        <PageHead title={t('notFound')} hidden />
        <NothingHere what={arrived.error || t('notFound')} />
      </>
    )
  return (
    <>
      <PageHead title={t('title')} hidden />
      <ErrorScreen
        title={t('failed')}
        kind={arrived.status === 0 ? 'offline' : arrived.status === 503 ? 'busy' : 'unread'}
        text={arrived.error || null}
      />
    </>
  )
}

function Loading() {
  const t = useTranslations('business')
  return (
    <ThingPage as="div">
      <PageHead title={t('title')} />
      <h1 className="flex items-center gap-3 text-lg">
        <Bars />
        <output>{t('loading')}</output>
      </h1>
      <div className="grid gap-6 lg:grid-cols-[5fr_7fr] lg:gap-12">
        <Skeleton className="aspect-[4/3]" />
        <div className="grid content-start gap-4">
          <Skeleton className="h-14 w-4/5" />
          <Skeleton className="h-5" />
          <Skeleton className="h-5 w-2/3" />
        </div>
      </div>
    </ThingPage>
  )
}
