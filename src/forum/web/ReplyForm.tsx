import 'texts:forms,forumWrite'
import type { Ref } from 'react'
import { useTranslations } from 'use-intl'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { useNavigateIfHere } from '../../kit/browser/navigate-if-here.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { postPlace } from '../../site-map.ts'
import { createPost, type Post } from '../contract.ts'
import { Composer } from './Composer.tsx'
import { draftOfTopic, useDraft } from './draft.ts'
import { peopleOf } from './mentioning.ts'
import { SendLine } from './SendLine.tsx'
import { postLater } from './unsent-posts.ts'
import { UnsentPosts } from './UnsentPosts.tsx'
import { useRefusedFocus } from './use-refused-focus.ts'

/** A reply at the end of a topic. What was typed stays until the server has it. */
export default function ReplyForm({
  topicId,
  title,
  posts,
  areaRef,
  onSent,
}: {
  topicId: string
  title: string
  /** Those of others on the page: who wrote them may be mentioned. */
  posts: Post[]
  areaRef: Ref<HTMLTextAreaElement>
  onSent: (post: Post) => void
}) {
  const t = useTranslations('forumWrite')
  const { draft, change, clear, wasKept } = useDraft(draftOfTopic(topicId))
  const { send, isSending, refused } = useSend()
  const form = useRefusedFocus(refused)
  const isEmpty = draft.body === ''
  const goOn = useNavigateIfHere()

  async function publish() {
    const { body, image_url, reply_to, key } = draft
    const input = { image_url, reply_to: reply_to?.number ?? null }
    const { answer, refused: no } = await send(createPost, {
      as: 'action',
      params: { topic_id: topicId },
      body: { body, ...input, idempotency_key: key },
    })
    if (no?.status === 0 && body.trim()) {
      postLater(key, { topic_id: topicId, title, body, input })
      return clear()
    }
    if (!answer) return
    clear()
    onSent(answer.body)
    goOn(postPlace(topicId, answer.body.post_number))
  }

  return (
    <form
      ref={form}
      className="grid grid-cols-1 gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void publish()
      }}
    >
      <UnsentPosts topicId={topicId} />
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
      <Composer label={t('reply')} {...{ draft, change, refused, areaRef }} people={peopleOf(posts)}>
        <SendLine
          {...{ isSending, wasKept, clear }}
          // what waits for the network is named above
          refused={isEmpty && refused?.status === 0 ? null : refused}
          hasText={!isEmpty}
          label={t('postReply')}
        />
      </Composer>
    </form>
  )
}
