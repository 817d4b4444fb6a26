import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { useHandledRows } from '../../kit/browser/use-handled-rows.ts'
import { usePages } from '../../kit/browser/use-pages.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { listForumQueue, listReports } from '../contract.ts'
import { canModeratePost, type PostAction } from '../policy.ts'
import { ReportedCase } from './ReportedCase.tsx'
import { DecisionArea } from '../../staff/web/DecisionArea.tsx'
import { postPlace, topicPage } from '../../site-map.ts'
import { AuthorName } from '../../forum/web/AuthorLine.tsx'
import { moderatePost, moderateTopic } from '../../forum/contract.ts'
import { ModerationFailed } from './ModerationFailed.tsx'
import { PostText } from '../../forum/web/PostText.tsx'
import { TextDialog, type TextQuestion } from '../../forum/web/TextDialog.tsx'
import { useDecide } from '../../staff/web/use-decide.ts'

type Queued = NonNullable<ReturnType<typeof useQueue>['items']>[number]
const useQueue = () => usePages(listForumQueue, (query) => ({ as: 'background', query }))
const useReported = () =>
  usePages(listReports, (page) => ({ as: 'background', query: { ...page, state: 'open', order: 'oldest' } }))

/** Posts, deals and ratings that wait for a decision, oldest first. Decided ones stay in place until the list is loaded again. */
export function Queue() {
  const t = useTranslations('moderation')
  const queue = useQueue()
  const reports = useReported()
  const toast = useToast()
  const [question, setQuestion] = useState<TextQuestion | null>(null)
  const { decide, isSending } = useDecide()
  const all = [
    ...(queue.items ?? []).map((item) => ({ at: item.post.created_at, id: item.post.post_id, item, found: null })),
    ...(reports.items ?? []).map((found) => ({ at: found.first_at, id: found.case_id, item: null, found })),
  ].toSorted((a, b) => a.at.localeCompare(b.at))
  // Two paged lists are merged by time. Show nothing later than the end of a list that has more pages: those must come below.
  const cut = [
    ...(queue.isCut ? [queue.items!.at(-1)!.post.created_at] : []),
    ...(reports.isCut ? [reports.items!.at(-1)!.first_at] : []),
  ].toSorted()[0]
  const items = all.filter(({ at }) => cut === undefined || at <= cut)
  const { shown, handledOf, markHandled, clearHandled } = useHandledRows(items, ({ id }) => id)

  async function run(item: Queued, decision: { action: PostAction; reason?: string; body?: string }) {
    const { post_id, topic_id, state, edited_at, created_at } = item.post
    const { action, reason } = decision
    const { refused, fault } =
      state === 'deleted' && (action === 'restore' || action === 'hide')
        ? await decide(moderateTopic, { as: 'action', params: { topic_id }, body: { action, reason } })
        : await decide(moderatePost, { as: 'action', params: { post_id }, body: { ...decision, seen: edited_at } })
    if (!refused?.fields) toast.show({ text: fault ?? t('done') })
    const isDecided = refused ? refused.code === 'already_decided' : action !== 'take_up'
    if (isDecided)
      markHandled(
        { at: created_at, id: post_id, item, found: null },
        refused ? refused.error : t(`decided.${action as Final}`),
      )
    else if (!refused || refused.code === 'post_changed') queue.again()
    return refused
  }

  const failed = queue.refused ?? reports.refused
  const again = () => {
    clearHandled()
    queue.again()
    reports.again()
  }
  if (!queue.items || !reports.items) return failed && <ModerationFailed refused={failed} again={again} />
  if (shown.length === 0 && !failed) return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>
  return (
    <>
      <ol className="grid max-w-4xl gap-4">
        {shown.map((each) =>
          each.item ? (
            <li key={each.id}>
              <QueueItem
                item={each.item}
                decided={handledOf(each)?.text ?? null}
                isSending={isSending}
                decide={run}
                put={setQuestion}
              />
            </li>
          ) : (
            <ReportedCase
              key={each.id}
              found={each.found}
              decided={handledOf(each)?.text ?? null}
              onDecided={(text) => markHandled(each, text)}
              onResult={({ text }) => {
                toast.show({ text })
                reports.again()
              }}
            />
          ),
        )}
      </ol>
      {failed && <ModerationFailed refused={failed} again={again} />}
      <p className="flex flex-wrap gap-3">
        {cut !== undefined && (
          <Button
            onClick={() => {
              if (queue.isCut) queue.more()
              if (reports.isCut) reports.more()
            }}
          >
            {t('more')}
          </Button>
        )}
        {shown.some(handledOf) && <Button onClick={again}>{t('reload')}</Button>}
      </p>
      <TextDialog question={question} onClose={() => setQuestion(null)} />
      <Toast note={toast.note} closeLabel={t('close')} onClose={toast.close} />
    </>
  )
}

type Final = Exclude<PostAction, 'take_up'>

function QueueItem({
  item,
  decided,
  isSending,
  decide,
  put,
}: {
  item: Queued
  decided: string | null
  isSending: boolean
  decide: (item: Queued, body: { action: PostAction; reason?: string; body?: string }) => Promise<RefusedAnswer | null>
  put: (question: TextQuestion) => void
}) {
  const t = useTranslations('moderation')
  const dialogs = useTranslations('forumDialogs')
  const when = useWhen()
  const { post, title, flags } = item
  const isWaiting = post.state === 'waiting'
  const refusal = isWaiting ? 'reject' : 'hide'
  const can = (action: PostAction) => canModeratePost(action, post.state)
  // The author deleted the post, but its topic, with the replies of others, still waits.
  const isLeft = post.state === 'deleted'
  /** Button for a decision after which everybody sees the post or topic. */
  const showButton = (action: 'approve' | 'restore' | 'dismiss', label: string) => (
    <Button variant="primary" disabled={isSending} onClick={() => void decide(item, { action })}>
      {label}
    </Button>
  )
  const refuse = (action: 'reject' | 'hide') => () =>
    put({ title: t(action), label: t('reason'), send: (reason) => decide(item, { action, reason }) })
  return (
    <article className="grid grid-cols-1 gap-3 rounded-6 border-2 border-rule bg-surface p-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={isWaiting ? 'lantern' : 'coral'}>{t(`states.${post.state}`)}</Badge>
        {flags.length > 0 && <span className="font-semibold">{t('flags', { n: flags.length })}</span>}
        {flags.some(({ state }) => state === 'wip') && <Badge>{t('inWork')}</Badge>}
        <time dateTime={post.created_at} className="text-sm text-ink-soft">
          {when.rowTime(post.created_at)}
        </time>
      </p>
      <h2 className="text-lg">
        <a href={isLeft ? topicPage(post.topic_id) : postPlace(post.topic_id, post.post_number)} className="link">
          {isLeft ? title : `${title} #${post.post_number}`}
        </a>
      </h2>
      <AuthorName author={post.author} />
      {isLeft ? <p>{t('left')}</p> : <PostText content={post.content} lang={post.lang} />}
      {post.image_url && <img src={post.image_url} alt="" className="max-h-60 max-w-full rounded-6" />}
      {flags.length > 0 && (
        <ul className="grid gap-1 text-sm">
          {flags.map((flag) => (
            <li key={`${flag.by} ${flag.kind}`}>
              <strong>{dialogs(`kinds.${flag.kind}`)}</strong>
              {flag.note && `: ${flag.note}`}{' '}
              <span className="text-ink-soft">
                @{flag.by}
                {!flag.counts && `, ${t('hidesNothing')}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      <DecisionArea text={decided}>
        <p className="flex flex-wrap gap-2 max-sm:[&>*]:flex-1">
          {can('approve') && showButton('approve', t('approve'))}
          {isLeft && showButton('restore', t('showTopic'))}
          {can('dismiss') && showButton('dismiss', t('dismiss'))}
          {can('edit') && (
            <Button
              disabled={isSending}
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
          )}
          <Button
            variant="danger"
            disabled={isSending}
            // A topic alone is hidden without a reason: its author is shown none.
            onClick={isLeft ? () => void decide(item, { action: 'hide' }) : refuse(refusal)}
          >
            {t(isLeft ? 'hideTopic' : refusal)}
          </Button>
          {flags.length > 0 && (
            <Button
              variant="quiet"
              disabled={isSending || flags.every(({ state }) => state === 'wip')}
              onClick={() => void decide(item, { action: 'take_up' })}
            >
              {t('takeUp')}
            </Button>
          )}
        </p>
      </DecisionArea>
    </article>
  )
}
