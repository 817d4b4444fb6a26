import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useHandledRows } from '../../kit/browser/use-handled-rows.ts'
import { useWhen } from '../../kit/browser/when.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import { postPlace, topicPage } from '../../site-map.ts'
import { decideAppeal, listForumAppeals } from '../contract.ts'
import { ModerationFailed } from './ModerationFailed.tsx'
import { PostText } from '../../forum/web/PostText.tsx'
import { DecisionArea } from '../../staff/web/DecisionArea.tsx'
import { useDecide } from '../../staff/web/use-decide.ts'

/** Open appeals, each with the decision it is against and buttons to decide it. */
export function Appeals() {
  const t = useTranslations('moderation')
  const appeals = useAnswer(listForumAppeals, { as: 'background' })
  const toast = useToast()
  const { decide, isSending } = useDecide()
  const { shown, handledOf, markHandled } = useHandledRows(appeals.body ?? [], ({ action_id }) => action_id)
  async function settle(appeal: (typeof shown)[number], decision: 'upheld' | 'overturned') {
    const params = { action_id: appeal.action_id }
    const { refused, fault } = await decide(decideAppeal, { as: 'action', params, body: { decision } })
    const text = fault ?? t('done')
    toast.show({ text })
    if (!refused || refused.status === 404) markHandled(appeal, text)
    appeals.again()
  }
  if (appeals.refused) return <ModerationFailed refused={appeals.refused} again={appeals.again} />
  if (appeals.body && shown.length === 0) return <p className="text-ink-soft">{t('noAppeals')}</p>
  return (
    <>
      <ol className="grid max-w-4xl gap-4">
        {shown.map((appeal) => (
          <li key={appeal.action_id} className="grid grid-cols-1 gap-3 rounded-6 border-2 border-rule bg-surface p-4">
            <DecisionText appeal={appeal} />
            {(appeal.content?.length || appeal.image_url) && (
              <div className="grid grid-cols-1 gap-2 border-l-4 border-rule pl-3">
                <p className="text-sm font-semibold">{t('appealPost')}</p>
                <PostText content={appeal.content ?? []} lang={appeal.lang ?? ''} />
                {appeal.image_url && <img src={appeal.image_url} alt="" className="max-h-60 max-w-full rounded-6" />}
              </div>
            )}
            <div className="grid grid-cols-1 gap-1 border-l-4 border-lantern pl-3">
              <p className="text-sm font-semibold wrap-anywhere">
                {t('appealBy', { name: appeal.member?.name ?? '–' })}
              </p>
              <p className="whitespace-pre-line [overflow-wrap:anywhere]">{appeal.appeal}</p>
            </div>
            <DecisionArea text={handledOf(appeal)?.text ?? null}>
              <p className="flex flex-wrap gap-2 max-sm:[&>*]:flex-1">
                <Button variant="primary" disabled={isSending} onClick={() => void settle(appeal, 'overturned')}>
                  {t('overturn')}
                </Button>
                <Button disabled={isSending} onClick={() => void settle(appeal, 'upheld')}>
                  {t('uphold')}
                </Button>
              </p>
            </DecisionArea>
          </li>
        ))}
      </ol>
      <Toast note={toast.note} closeLabel={t('close')} onClose={toast.close} />
    </>
  )
}

function DecisionText({ appeal }: { appeal: AnswerBody<typeof listForumAppeals>[number] }) {
  const t = useTranslations('moderation')
  const when = useWhen()
  const { at, action, topic_id, post_number } = appeal
  const key = `action.${action}` as 'action.post_hide'
  const text = t.has(key) ? t(key, { who: appeal.moderator.name ?? '–', object: appeal.object }) : action
  return (
    <p className="[overflow-wrap:anywhere]">
      <time dateTime={at} className="text-sm text-ink-soft">
        {when.rowTime(at)}
      </time>{' '}
      {topic_id ? (
        <a className="link" href={post_number ? postPlace(topic_id, post_number) : topicPage(topic_id)}>
          {text}
        </a>
      ) : (
        text
      )}
      {appeal.reason && <span className="block text-ink-soft">{appeal.reason}</span>}
    </p>
  )
}
