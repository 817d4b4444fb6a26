import 'texts:accountForms,forms,forum,forumDialogs,moderation,reports,staff'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { useStored } from '../../accounts/web/session.ts'
import { Segments } from '../../kit/browser/ui/Segments.tsx'
import { isStaff as isStaffRole } from '../../accounts/policy.ts'
import { page } from '../../site-map.ts'
import { StaffPage } from '../../staff/web/StaffPage.tsx'
import { Appeals } from './Appeals.tsx'
import { Queue } from './ModerationQueue.tsx'

const views = ['queue', 'appeals'] as const

async function load({ request }: LoaderFunctionArgs) {
  const view = new URL(request.url).searchParams.get('view')
  return { view: views.find((each) => each === view) ?? 'queue' }
}
export { load as loader, load as clientLoader }

/** Moderation on a phone: forum posts and reported deals and ratings in one queue, and appeals. */
export default function ModerationScreen() {
  const t = useTranslations('moderation')
  const { view } = useLoaderData<typeof load>()
  const role = useStored('userType')
  // StaffPage itself refuses other roles.
  const isStaff = role !== null && isStaffRole(role)
  return (
    <StaffPage title={t('title')} current="moderation" refused={null}>
      {isStaff && (
        <>
          <Segments
            label={t('views')}
            segments={[
              ...views.map((each) => ({
                key: each,
                href: each === 'queue' ? page.moderation : `${page.moderation}?view=${each}`,
                label: t(each),
                current: each === view,
              })),
              { key: 'log', href: page.adminLog, label: t('log'), current: false },
            ]}
          />
          {view === 'queue' ? <Queue /> : <Appeals />}
        </>
      )}
    </StaffPage>
  )
}
