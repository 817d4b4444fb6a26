import 'texts:forum,forumTopic,moderation'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useOnceShown } from '../../kit/browser/once-shown.ts'
import type { AnswerState } from '../../kit/browser/use-answer.ts'
import { readTopic, type Topic } from '../contract.ts'
import { ModerateTopic } from './ModerateTopic.tsx'
import type { MineOfTopic } from './use-post-actions.ts'
import { WatchControl } from './WatchControl.tsx'

/** The column beside the posts, for members. Reports how far they have read once the page is visible. */
export default function BesideTopic({
  topic,
  readTo,
  mine,
  onDone,
  say,
}: {
  topic: Topic
  /** Number of the last visible post of this page; 0: none. */
  readTo: number
  mine: AnswerState<MineOfTopic>
  onDone: () => void
  say: (text: string) => void
}) {
  const { topic_id } = topic
  const isOpen = topic.state === 'visible'
  useOnceShown(`${topic_id} ${topic.state} ${readTo}`, () => {
    if (isOpen && readTo > 0)
      void ask(callByFetch, readTopic, { as: 'background', params: { topic_id }, body: { post_number: readTo } })
  })
  return (
    <>
      <ModerateTopic topic={topic} onDone={onDone} say={say} />
      {isOpen && <WatchControl topicId={topic_id} mine={mine} say={say} />}
    </>
  )
}
