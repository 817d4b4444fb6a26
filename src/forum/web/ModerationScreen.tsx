import { useState } from 'react'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useStored } from '../../accounts/web/session.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Segments } from '../../kit/browser/ui/Segments.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { listReports } from '../../reports/web/calls.ts'
import { ReportedCase } from '../../reports/web/ReportedCase.tsx'
import { page, postPlace, topicPage } from '../../site-map.ts'
import { StaffPage, ToSecondFactor, wantsSecondFactor } from '../../staff/web/StaffPage.tsx'
import { AuthorName } from './AuthorLine.tsx'
import { decideAppeal, listForumAppeals, listForumLog, listForumQueue, moderatePost } from './calls.ts'
import { PostText } from './PostText.tsx'
import { TextDialog, type TextQuestion } from './TextDialog.tsx'

const views = ['queue', 'appeals', 'log'] as const

async function load({ request }: LoaderFunctionArgs) {
  const asked = new URL(request.url).searchParams.get('view')
  return { view: views.find((each) => each === asked) ?? 'queue' }
}
export { load as loader, load as clientLoader }

/** What the festival team decides with one thumb: posts of the forum, and reported deals and ratings, in one queue. */
export default function ModerationScreen() {
  const t = useTranslations('moderation')
  const { view } = useLoaderData<typeof load>()
  return (
    <StaffPage title={t('title')} current="moderation" refused={null}>
      <ForStaff>
        <Segments
          label={t('views')}
          segments={views.map((each) => ({
            key: each,
            href: each === 'queue' ? page.moderation : `${page.moderation}?view=${each}`,
            label: t(each),
            current: each === view,
          }))}
        />
        {view === 'queue' ? <Queue /> : view === 'appeals' ? <Appeals /> : <Log />}
      </ForStaff>
    </StaffPage>
  )
}

/** The server decides it again with each call. */
function ForStaff({ children }: { children: React.ReactNode }) {
  const t = useTranslations('moderation')
  const role = useStored('userType')
  if (role === 'moderator' || role === 'admin') return children
  return <Notice kind="warn">{t('forbidden')}</Notice>
}

type Queued = NonNullable<ReturnType<typeof useQueue>['body']>[number]
const useQueue = () => useAnswer(listForumQueue, { as: 'background', query: { limit: '20' } })
const reported = { as: 'background', query: { state: 'open', limit: 20 } } as const

function Queue() {
  const t = useTranslations('moderation')
  const queue = useQueue()
  const reports = useAnswer(listReports, reported)
  const toast = useToast()
  const [question, setQuestion] = useState<TextQuestion | null>(null)

  async function decide(item: Queued, body: { action: Action; reason?: string; body?: string }) {
    const { refused } = await ask(callByFetch, moderatePost, {
      as: 'action',
      params: { post_id: item.post.post_id },
      body,
    })
    if (!refused) {
      toast.show({ text: t('done') })
      queue.again()
    } else if (!refused.fields) toast.show({ text: refused.error || t('failed') })
    if (refused?.code === 'already_decided') queue.again()
    return refused
  }

  const failed = queue.refused ?? reports.refused
  if (failed) return <Failed refused={failed} />
  if (!queue.body || !reports.body) return null
  const items = [
    ...queue.body.map((item) => ({ at: item.post.created_at, id: item.post.post_id, item, found: null })),
    ...reports.body.map((found) => ({ at: found.first_at, id: found.case_id, item: null, found })),
  ].toSorted((a, b) => a.at.localeCompare(b.at))
  if (items.length === 0) return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
  return (
    <>
      <ol className="grid max-w-4xl gap-4">
        {items.map(({ id, item, found }) =>
          item ? (
            <li key={id}>
              <QueueItem item={item} decide={decide} put={setQuestion} />
            </li>
          ) : (
            <ReportedCase
              key={id}
              found={found}
              onTold={({ text }) => {
                toast.show({ text })
                reports.again()
              }}
            />
          ),
        )}
      </ol>
      <TextDialog question={question} onClose={() => setQuestion(null)} />
      <Toast note={toast.note} closeLabel={t('close')} onClose={toast.close} />
    </>
  )
}

type Action = 'approve' | 'edit' | 'reject' | 'hide' | 'restore' | 'take_up' | 'dismiss'

function QueueItem({
  item,
  decide,
  put,
}: {
  item: Queued
  decide: (item: Queued, body: { action: Action; reason?: string; body?: string }) => Promise<RefusedAnswer | null>
  put: (question: TextQuestion) => void
}) {
  const t = useTranslations('moderation')
  const topic = useTranslations('forumTopic')
  const when = useWhen()
  const { post, title, flags } = item
  const isWaiting = post.state === 'waiting'
  const refuse = (action: 'reject' | 'hide') => () =>
    put({ title: t(action), label: t('reason'), send: (reason) => decide(item, { action, reason }) })
  return (
    <article className="grid grid-cols-1 gap-3 rounded-6 border-2 border-rule bg-surface p-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={isWaiting ? 'lantern' : 'coral'}>{t(`states.${post.state}`)}</Badge>
        {flags.length > 0 && <span className="font-semibold">{t('flags', { n: flags.length })}</span>}
        {flags.some(({ state }) => state === 'wip') && <Badge>{t('inWork')}</Badge>}
        <time dateTime={post.created_at} className="text-sm text-ink-soft">
          {when.time(post.created_at)}
        </time>
      </p>
      <h2 className="text-lg">
        <a href={postPlace(post.topic_id, post.post_number)} className="link">
          {title} #{post.post_number}
        </a>
      </h2>
      <AuthorName author={post.author} />
      <PostText content={post.content} lang={post.lang} />
      {post.image_url && <img src={post.image_url} alt="" className="max-h-60 max-w-full rounded-6" />}
      {flags.length > 0 && (
        <ul className="grid gap-1 text-sm">
          {flags.map((flag) => (
            <li key={`${flag.by} ${flag.kind}`}>
              <strong>{topic(`kinds.${flag.kind}`)}</strong>
              {flag.note && `: ${flag.note}`}{' '}
              <span className="text-ink-soft">
                @{flag.by}
                {!flag.counts && `, ${t('newMember')}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="flex flex-wrap gap-2 max-sm:[&>*]:flex-1">
        {isWaiting && (
          <Button variant="primary" onClick={() => void decide(item, { action: 'approve' })}>
            {t('approve')}
          </Button>
        )}
        {!isWaiting && (
          <Button variant="primary" onClick={() => void decide(item, { action: 'dismiss' })}>
            {t('dismiss')}
          </Button>
        )}
        <Button
          onClick={() =>
            put({
              title: t('editApprove'),
              label: t('text'),
              text: post.body,
              send: (body) => decide(item, { action: 'edit', body }),
            })
          }
        >
          {t('editApprove')}
        </Button>
        {isWaiting ? (
          <Button variant="danger" onClick={refuse('reject')}>
            {t('reject')}
          </Button>
        ) : (
          <Button variant="danger" onClick={refuse('hide')}>
            {t('hide')}
          </Button>
        )}
        {flags.some(({ state }) => state === 'open') && (
          <Button variant="quiet" onClick={() => void decide(item, { action: 'take_up' })}>
            {t('takeUp')}
          </Button>
        )}
      </p>
    </article>
  )
}

function Failed({ refused }: { refused: RefusedAnswer }) {
  const t = useTranslations('moderation')
  if (wantsSecondFactor(refused))
    return (
      <Notice kind="warn" action={<ToSecondFactor />}>
        {refused.error}
      </Notice>
    )
  return <Notice kind={refused.status === 0 ? 'offline' : 'error'}>{refused.error || t('failed')}</Notice>
}

function Appeals() {
  const t = useTranslations('moderation')
  const appeals = useAnswer(listForumAppeals, { as: 'background' })
  const toast = useToast()
  async function decide(action_id: string, decision: 'upheld' | 'overturned') {
    const { refused } = await ask(callByFetch, decideAppeal, {
      as: 'action',
      params: { action_id },
      body: { decision },
    })
    toast.show({ text: refused ? refused.error || t('failed') : t('done') })
    appeals.again()
  }
  if (appeals.refused) return <Failed refused={appeals.refused} />
  if (appeals.body?.length === 0) return <p className="text-ink-soft">{t('noAppeals')}</p>
  return (
    <>
      <ol className="grid gap-4">
        {appeals.body?.map((appeal) => (
          <li key={appeal.action_id} className="grid gap-3 rounded-6 border-2 border-rule bg-surface p-4">
            <Sentence entry={appeal} />
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">“{appeal.appeal}”</p>
            <p className="flex flex-wrap gap-2 max-sm:[&>*]:flex-1">
              <Button variant="primary" onClick={() => void decide(appeal.action_id, 'overturned')}>
                {t('overturn')}
              </Button>
              <Button onClick={() => void decide(appeal.action_id, 'upheld')}>{t('uphold')}</Button>
            </p>
          </li>
        ))}
      </ol>
      <Toast note={toast.note} closeLabel={t('close')} onClose={toast.close} />
    </>
  )
}

function Log() {
  const t = useTranslations('moderation')
  const [limit, setLimit] = useState(20)
  const log = useAnswer(listForumLog, { as: 'background', query: { limit: String(limit) } })
  if (log.refused) return <Failed refused={log.refused} />
  if (log.body?.length === 0) return <p className="text-ink-soft">{t('noLog')}</p>
  return (
    <>
      <ol className="grid gap-3">
        {log.body?.map((entry) => (
          <li key={entry.action_id} className="border-b-2 border-hair pb-3">
            <Sentence entry={entry} />
          </li>
        ))}
      </ol>
      {log.body?.length === limit && limit < 100 && (
        <Button onClick={() => setLimit(Math.min(100, limit + 40))}>{t('more')}</Button>
      )}
    </>
  )
}

interface Entry {
  at: string
  action: string
  object: string
  reason: string | null
  topic_id: string | null
  post_number: number | null
  moderator: { name: string | null }
}

function Sentence({ entry }: { entry: Entry }) {
  const t = useTranslations('moderation')
  const when = useWhen()
  const values = { who: entry.moderator.name ?? '–', object: entry.object }
  const key = `action.${entry.action}` as 'action.post_hide'
  return (
    <p className="[overflow-wrap:anywhere]">
      <time dateTime={entry.at} className="text-sm text-ink-soft">
        {when.time(entry.at)}
      </time>{' '}
      {entry.topic_id ? (
        <a
          className="link"
          href={entry.post_number ? postPlace(entry.topic_id, entry.post_number) : topicPage(entry.topic_id)}
        >
          {t.has(key) ? t(key, values) : entry.action}
        </a>
      ) : t.has(key) ? (
        t(key, values)
      ) : (
        entry.action
      )}
      {entry.reason && <span className="block text-ink-soft">{entry.reason}</span>}
    </p>
  )
}
