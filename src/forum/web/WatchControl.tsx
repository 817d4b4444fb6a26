import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import type { AnswerState } from '../../kit/browser/use-answer.ts'
import { watchTopic } from '../contract.ts'
import type { MineOfTopic } from './use-post-actions.ts'

const modes = ['watch', 'normal', 'mute'] as const

/** Watch, mute or neither. */
export function WatchControl({
  topicId,
  mine,
  say,
}: {
  topicId: string
  mine: AnswerState<MineOfTopic>
  say: (text: string) => void
}) {
  const t = useTranslations('forumTopic')
  const texts = { watch: t('watching'), normal: t('unmuted'), mute: t('muted') }
  async function choose(mode: (typeof modes)[number]) {
    const before = mine.body
    if (before) mine.set({ ...before, mode })
    const { refused } = await ask(callByFetch, watchTopic, {
      as: 'action',
      params: { topic_id: topicId },
      body: { mode },
    })
    if (refused && before) mine.set(before)
    say(refused ? refused.error || t(refused.status === 0 ? 'offline' : 'failed') : texts[mode])
  }
  return (
    <fieldset aria-label={t('watchLabel')} className="flex w-fit max-w-full flex-wrap rounded-6 border-2 border-rule">
      {modes.map((mode) => (
        <button
          key={mode}
          type="button"
          aria-pressed={mine.body?.mode === mode}
          disabled={mine.body === null}
          onClick={() => void choose(mode)}
          className="min-h-11 px-3 text-sm font-semibold aria-pressed:bg-ink aria-pressed:text-page"
        >
          {t(mode)}
        </button>
      ))}
    </fieldset>
  )
}
