import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { callByFetch } from '../../kit/browser/call-endpoint.ts'
import { useAskOnce } from '../../kit/browser/forms/use-ask-once.ts'
import { isStaff } from '../../accounts/policy.ts'
import { useStored } from '../../accounts/web/session.ts'
import type { MenuEntry } from '../../kit/browser/ui/Menu.tsx'
import type { AnswerState } from '../../kit/browser/use-answer.ts'
import type { AnswerBody } from '../../kit/shared/endpoint.ts'
import { postPlace } from '../../site-map.ts'
import type { getMineOfTopic } from '../contract.ts'
import { appealDecision, editTopic, likePost, moderatePost, type Post, type Topic, unlikePost } from '../contract.ts'
import { isEditable } from '../policy.ts'
import { draftOfTopic, useDraft } from './draft.ts'
import type { PostQuestion } from './PostDialogs.tsx'
import type { ReplyArea } from './use-reply-area.ts'

/** The reader's own state on a page of a topic. */
export type MineOfTopic = AnswerBody<typeof getMineOfTopic>

/** @returns the reader's actions on a post. `ask` opens a dialog, `say` shows a toast. */
export function usePostActions({
  topic,
  mine,
  area,
  refresh,
  edit,
  ask: openDialog,
  say,
}: {
  topic: Topic
  mine: AnswerState<MineOfTopic>
  area: ReplyArea
  refresh: () => void
  edit: (postId: string) => void
  ask: (question: PostQuestion) => void
  say: (text: string) => void
}) {
  const t = useTranslations('forumTopic')
  const drafting = useDraft(draftOfTopic(topic.topic_id))
  const forum = useTranslations('forum')
  const role = useStored('userType')
  const askOnce = useAskOnce()
  const nameOf = (post: Post) => post.author.name ?? forum('deletedUser')

  async function like(post: Post, isLiked: boolean) {
    const before = mine.body
    if (!before) return
    mine.set({
      ...before,
      liked: isLiked ? before.liked.filter((id) => id !== post.post_id) : [...before.liked, post.post_id],
    })
    const input = { as: 'action', params: { post_id: post.post_id } } as const
    const { refused } = await (isLiked ? ask(callByFetch, unlikePost, input) : ask(callByFetch, likePost, input))
    if (!refused) return refresh()
    mine.set(before)
    say(refused.error || t(refused.status === 0 ? 'offline' : 'failed'))
  }

  function write(more: Parameters<typeof drafting.change>[0]) {
    drafting.change(more)
    area.reach()
  }

  function quote(post: Post) {
    const quoted = post.body
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n')
    const who = post.author.handle ? `@${post.author.handle}` : nameOf(post)
    const { body } = drafting.draft
    write({
      body: `${body}${body && !body.endsWith('\n\n') ? '\n\n' : ''}> ${who}, [#${post.post_number}](${postPlace(post.topic_id, post.post_number)}):\n>\n${quoted}\n\n`,
      reply_to: { number: post.post_number, name: nameOf(post) },
    })
  }

  async function solve(solved_number: number | null) {
    const { refused } = await ask(callByFetch, editTopic, {
      as: 'action',
      params: { topic_id: topic.topic_id },
      body: { solved_number },
    })
    say(refused ? refused.error || t(refused.status === 0 ? 'offline' : 'failed') : t('saved'))
    if (!refused) refresh()
  }

  async function copy(post: Post) {
    const address = location.origin + postPlace(post.topic_id, post.post_number)
    const isCopied = await navigator.clipboard?.writeText(address).then(
      () => true,
      () => false,
    )
    say(isCopied ? t('copied') : address)
  }

  function remove(post: Post) {
    // deleting removes the menu that has the focus, so the focus moves to the link of the post
    document.querySelector<HTMLElement>(`#post-${post.post_number} time + a`)?.focus({ preventScroll: true })
    openDialog({ kind: 'delete', post })
  }

  function appeal({ post_id }: Post) {
    const send = async (text: string) => {
      const { refused } = await ask(callByFetch, appealDecision, { as: 'action', body: { post_id, text } })
      if (!refused) say(t('appealed'))
      return refused
    }
    openDialog({ kind: 'text', text: { title: t('appeal'), label: t('appealLabel'), send } })
  }

  function hide({ post_id }: Post) {
    const send = async (reason: string) => {
      const body = { action: 'hide' as const, reason }
      const { refused } = await askOnce(moderatePost, { as: 'action', params: { post_id }, body })
      if (!refused) refresh()
      return refused
    }
    openDialog({ kind: 'text', text: { title: t('hidePost'), label: t('reasonLabel'), send } })
  }

  return (post: Post) => {
    const me = mine.body?.member_id ?? null
    const isOwn = me !== null && post.author.member_id === me
    const isTopicMine = me !== null && topic.author.member_id === me
    const isSolution = topic.solved_number === post.post_number
    const isLiked = mine.body?.liked.includes(post.post_id) ?? false
    const entries: MenuEntry[] = [
      { label: t('copy'), onSelect: () => void copy(post) },
      ...(isOwn && isEditable(new Date(post.created_at), new Date()) && !topic.is_locked
        ? [{ label: t('edit'), onSelect: () => edit(post.post_id) }]
        : []),
      ...(isOwn ? [{ label: t('delete'), onSelect: () => remove(post) }] : []),
      ...(!isOwn ? [{ label: t('flag'), onSelect: () => openDialog({ kind: 'flag', post }) }] : []),
      ...(isOwn && (post.state === 'hidden' || post.state === 'rejected')
        ? [{ label: t('appeal'), onSelect: () => appeal(post) }]
        : []),
      ...(isStaff(role ?? '') && !isOwn ? [{ label: t('hidePost'), onSelect: () => hide(post) }] : []),
      ...(isTopicMine && post.state === 'visible'
        ? [
            isSolution
              ? { label: t('unmarkSolved'), onSelect: () => void solve(null) }
              : { label: t('markSolved'), onSelect: () => void solve(post.post_number) },
          ]
        : []),
    ]
    return {
      isLiked,
      isOwn,
      like: () => void like(post, isLiked),
      reply: () => write({ reply_to: { number: post.post_number, name: nameOf(post) } }),
      quote: () => quote(post),
      entries,
    }
  }
}
