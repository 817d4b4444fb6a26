import { useState, type Ref } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/asking.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useSession } from '../../accounts/web/session.ts'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import { loginPageWithNext, page, topicPage } from '../../site-map.ts'
import type { Post } from '../contract.ts'
import { createPost } from './calls.ts'
import { Composer } from './Composer.tsx'
import type { useDraft } from './draft.ts'

/** A reply at the end of a topic. What was typed stays until the server has it. */
export function ReplyForm({
  topicId,
  drafting: { draft, change, clear, wasKept },
  areaRef,
  onSent,
}: {
  topicId: string
  drafting: ReturnType<typeof useDraft>
  areaRef: Ref<HTMLTextAreaElement>
  onSent: (post: Post) => void
}) {
  const t = useTranslations('forumWrite')
  const isGuest = useSession() === 'guest'
  const [isSending, setSending] = useState(false)
  const [refused, setRefused] = useState<RefusedAnswer | null>(null)

  async function send() {
    setSending(true)
    setRefused(null)
    const { body, image_url, reply_to, key } = draft
    const { answer, refused: no } = await ask(callByFetch, createPost, {
      as: 'action',
      params: { topic_id: topicId },
      body: { body, image_url, reply_to: reply_to?.number ?? null, idempotency_key: key },
    })
    setSending(false)
    if (!answer) return setRefused(no)
    clear()
    onSent(answer.body)
  }

  if (isGuest)
    return (
      <Notice
        action={
          <ButtonLink href={loginPageWithNext(page.userLogin, topicPage(topicId))} variant="primary">
            {t('login')}
          </ButtonLink>
        }
      >
        {t('guest')}
      </Notice>
    )
  return (
    <form
      className="grid grid-cols-1 gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {draft.reply_to && (
        <p className="flex flex-wrap items-center gap-x-3 text-sm">
          <span className="font-semibold">
            {t('replyingTo', { n: draft.reply_to.number, name: draft.reply_to.name })}
          </span>
          <Button variant="quiet" onClick={() => change({ reply_to: undefined })}>
            {t('notReplying')}
          </Button>
        </p>
      )}
      <Composer label={t('reply')} {...{ draft, change, refused, areaRef }}>
        <SendLine {...{ refused, isSending, wasKept, clear }} hasText={draft.body !== ''} label={t('postReply')} />
      </Composer>
    </form>
  )
}

/** The button that sends, why it did not, and what is kept. */
export function SendLine({
  refused,
  isSending,
  wasKept,
  hasText,
  label,
  clear,
}: {
  refused: RefusedAnswer | null
  isSending: boolean
  wasKept: boolean
  hasText: boolean
  label: string
  clear: () => void
}) {
  const t = useTranslations('forumWrite')
  return (
    <div className="grid gap-3">
      {refused && (
        <Notice kind={refused.status === 0 ? 'offline' : 'error'} role="alert">
          {refused.error || t(refused.status === 0 ? 'offline' : 'failed')}
        </Notice>
      )}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" variant="primary" size="lg" loading={isSending} loadingText={t('sending')}>
          {label}
        </Button>
        {hasText && (
          <span className="flex items-center gap-1 text-sm text-ink-soft">
            {wasKept && t('draft')}
            <Button variant="quiet" onClick={clear}>
              {t('discard')}
            </Button>
          </span>
        )}
      </p>
    </div>
  )
}
