import { useState } from 'react'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useTranslations } from 'use-intl'
import { useAskOnce } from '../../kit/browser/forms/use-ask-once.ts'
import { isStaff } from '../../accounts/policy.ts'
import { useStored } from '../../accounts/web/session.ts'
import { Menu } from '../../kit/browser/ui/Menu.tsx'
import type { CallInput } from '../../kit/shared/endpoint.ts'
import type * as contract from '../contract.ts'
import { moderateTopic } from '../contract.ts'
import { forumCategories } from '../limits.ts'
import { TextDialog, type TextQuestion } from './TextDialog.tsx'

const tagsOf = (typed: string) => typed.split(',').filter((tag) => tag.trim() !== '')

/** The menu of moderators; nothing for others. */
export function ModerateTopic({
  topic,
  onDone,
  say,
}: {
  topic: contract.Topic
  onDone: () => void
  say: (text: string) => void
}) {
  const t = useTranslations('forumTopic')
  const forum = useTranslations('forum')
  const role = useStored('userType')
  const askOnce = useAskOnce()
  const [question, setQuestion] = useState<TextQuestion | null>(null)
  if (!isStaff(role ?? '')) return null

  async function decide(body: CallInput<typeof contract.moderateTopic>['body']) {
    const { refused } = await askOnce(moderateTopic, { as: 'action', params: { topic_id: topic.topic_id }, body })
    if (!refused) onDone()
    if (!refused?.fields) say(refused ? refused.error || t(refused.status === 0 ? 'offline' : 'failed') : t('saved'))
    return refused
  }
  const run = (body: Parameters<typeof decide>[0]) => () => void decide(body)
  const withText = (dialog: TextQuestion) => ({ label: dialog.title, onSelect: () => setQuestion(dialog) })
  return (
    <>
      <Menu
        label={t('moderate')}
        icon={<ShieldCheck aria-hidden="true" className="size-5" />}
        buttonClassName="border-2 border-rule"
        listClassName="right-auto left-0 max-h-[70vh] overflow-y-auto"
        entries={[
          topic.is_pinned
            ? { label: t('unpin'), onSelect: run({ action: 'unpin' }) }
            : { label: t('pin'), onSelect: run({ action: 'pin' }) },
          topic.is_locked
            ? { label: t('unlock'), onSelect: run({ action: 'unlock' }) }
            : { label: t('lock'), onSelect: run({ action: 'lock' }) },
          withText({
            title: t('correctTitle'),
            label: t('titleLabel'),
            text: topic.title,
            send: (title) => decide({ action: 'correct', title }),
          }),
          withText({
            title: t('correctTags'),
            label: t('tagsLabel'),
            text: topic.tags.join(', '),
            send: (typed) => decide({ action: 'correct', tags: tagsOf(typed) }),
          }),
          topic.state === 'hidden'
            ? { label: t('show'), onSelect: run({ action: 'restore' }) }
            : withText({
                title: t('hideTopic'),
                label: t('reasonLabel'),
                send: (reason) => decide({ action: 'hide', reason }),
              }),
          withText({
            title: t('merge'),
            label: t('mergeInto'),
            send: (text) => decide({ action: 'merge', into: /[0-9a-f-]{36}/i.exec(text)?.[0] ?? '' }),
          }),
          ...forumCategories
            .filter((category) => category !== topic.category)
            .map((category) => ({
              label: t('moveTo', { category: forum(`category.${category}`) }),
              onSelect: run({ action: 'move', category }),
            })),
        ]}
      />
      <TextDialog question={question} onClose={() => setQuestion(null)} />
    </>
  )
}
