import 'texts:accountForms,notifications'
import { useEffect, useState } from 'react'
import CheckCheck from 'lucide-react/icons/check-check'
import Settings from 'lucide-react/icons/settings'
import { useTranslations } from 'use-intl'
import { ForLoggedIn, NotLoaded } from '../../accounts/web/guards.tsx'
import { LateScript, NoScript } from '../../accounts/web/parts.tsx'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { AccountPage } from '../../kit/browser/ui/Page.tsx'
import { useSession } from '../../accounts/web/session.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { usePages } from '../../kit/browser/use-pages.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { follow } from '../../live/web/follow.ts'
import type { CallInput } from '../../kit/shared/endpoint.ts'
import { page } from '../../site-map.ts'
import type * as contract from '../contract.ts'
import { listNotifications, type Notification, readNotifications } from '../contract.ts'

/** The document holds nothing private; the script loads the notifications. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

export default function NotificationsScreen() {
  const t = useTranslations('notifications')
  return (
    <>
      <PageHead title={t('title')} description={t('description')} hidden />
      <AccountPage title={t('title')}>
        <div className="grid max-w-3xl gap-6">
          <ForLoggedIn waiting={<NotYet />}>
            <List />
          </ForLoggedIn>
        </div>
      </AccountPage>
    </>
  )
}

function NotYet() {
  return (
    <>
      <NoScript kind="notifications" />
      <LateScript kind="page" />
      <Waiting sizes={['h-20', 'h-20', 'h-20', 'h-20']} className="grid gap-3" />
    </>
  )
}

function List() {
  const t = useTranslations('notifications')
  const session = useSession()
  const { items, isCut, refused, more, again } = useNotifications()
  /** The list when "Older" was tapped: as long as it is shown, the older ones are loading or have failed. */
  const [tapped, setTapped] = useState<Notification[] | null>(null)
  const mark = async (body: CallInput<typeof contract.readNotifications>['body']) => {
    await ask(callByFetch, readNotifications, { as: 'action', body })
    again()
  }
  if (!items && refused) return <NotLoaded refused={refused} again={again} />
  if (!items) return <NotYet />
  if (items.length === 0)
    return (
      <EmptyState
        title={t('empty')}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            {session === 'user' && (
              <ButtonLink href={page.deals} variant="primary">
                {t('findDeals')}
              </ButtonLink>
            )}
            <ToSettings />
          </div>
        }
      >
        {t(session === 'business' ? 'emptyTextBusiness' : 'emptyText')}
      </EmptyState>
    )
  return (
    <>
      <div className="flex flex-wrap gap-3 max-sm:[&>*]:flex-1">
        <Button
          onClick={() => void mark({})}
          // While there are older ones to load, some of them may be unread.
          disabled={!isCut && items.every(({ read_at }) => read_at !== null)}
          icon={<CheckCheck aria-hidden="true" className="size-5 shrink-0" />}
        >
          {t('readAll')}
        </Button>
        <ToSettings />
      </div>
      <ul className="grid border-y-2 border-rule">
        {items.map((item) => (
          <Item
            key={item.notification_id}
            item={item}
            read={() => void mark({ notification_ids: [item.notification_id] })}
          />
        ))}
      </ul>
      {tapped === items && refused && <NotLoaded refused={refused} />}
      {isCut && (
        <Button
          className="justify-self-center"
          loading={tapped === items && !refused}
          onClick={() => {
            setTapped(items)
            more()
          }}
        >
          {t('older')}
        </Button>
      )}
    </>
  )
}

function ToSettings() {
  const t = useTranslations('notifications')
  return (
    <ButtonLink
      href={`${page.settings}#notifications`}
      variant="quiet"
      icon={<Settings aria-hidden="true" className="size-5 shrink-0" />}
    >
      {t('settings')}
    </ButtonLink>
  )
}

function Item({ item, read }: { item: Notification; read: () => void }) {
  const t = useTranslations('notifications')
  const { rowTime } = useWhen()
  const isUnread = item.read_at === null
  return (
    <li className="border-t-2 border-hair first:border-t-0">
      <a
        href={item.path}
        onClick={() => isUnread && read()}
        className="grid min-h-16 grid-cols-[0.75rem_minmax(0,1fr)] items-start gap-x-3 rounded-6 px-1 py-4 text-ink no-underline hover:bg-well"
      >
        <span className="mt-2 grid">
          {isUnread && (
            <>
              <span aria-hidden="true" className="size-3 rounded-full bg-action" />
              <span className="sr-only">{t('unread')} </span>
            </>
          )}
        </span>
        <span className="grid gap-1">
          <span className={`[overflow-wrap:anywhere] ${isUnread ? 'font-semibold' : 'text-ink-soft'}`}>
            {item.text}
          </span>
          {item.created_at && (
            <time dateTime={item.created_at} className="figure text-sm text-ink-soft">
              {rowTime(item.created_at)}
            </time>
          )}
        </span>
      </a>
    </li>
  )
}

/** The pages loaded so far, updated live. */
function useNotifications() {
  const pages = usePages(listNotifications, (query) => ({ as: 'background', query }))
  const { again } = pages
  useEffect(
    () =>
      follow([], {
        // 'notifications-read': read in another tab, or withdrawn.
        changed: ({ kind }) => (kind === 'notification' || kind === 'notifications-read') && again(),
        missed: again,
        // Notifications may have come between the first look and the start of the stream.
        joined: again,
      }),
    [again],
  )
  return pages
}
