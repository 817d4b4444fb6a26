import Heart from 'lucide-react/icons/heart'
import Quote from 'lucide-react/icons/quote'
import Reply from 'lucide-react/icons/reply'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Menu } from '../../kit/browser/ui/Menu.tsx'
import type { Post } from '../contract.ts'
import { usePostActions } from './use-post-actions.ts'

/** What a member can do with a post. */
export function PostFoot({ post, ...page }: { post: Post } & Parameters<typeof usePostActions>[0]) {
  const t = useTranslations('forumTopic')
  const actions = usePostActions(page)(post)
  const { isLiked, isOwn } = actions
  return (
    <div className="relative -ml-3 flex flex-wrap items-center gap-x-1 print-hidden">
      {isOwn ? (
        post.like_count > 0 && (
          <span className="px-3 text-sm text-ink-soft">{t('likeCount', { n: post.like_count })}</span>
        )
      ) : (
        <button
          type="button"
          aria-pressed={isLiked}
          onClick={actions.like}
          className="inline-flex min-h-11 items-center gap-2 rounded-6 px-3 font-semibold hover:bg-well aria-pressed:text-action-text aria-pressed:[&_svg]:fill-current"
        >
          <Heart aria-hidden="true" className="size-5" />
          <span className="sr-only">{t('like')}</span> <span className="figure">{post.like_count}</span>
        </button>
      )}
      {page.topic.state === 'visible' && !page.topic.is_locked && (
        <>
          {/* icons only on phones: with words the row would need two lines */}
          <Button
            variant="quiet"
            className="max-md:px-3!"
            icon={<Reply aria-hidden="true" className="size-5" />}
            onClick={actions.reply}
          >
            <span className="max-md:sr-only">{t('reply')}</span>
          </Button>
          <Button
            variant="quiet"
            className="max-md:px-3!"
            icon={<Quote aria-hidden="true" className="size-5" />}
            onClick={actions.quote}
          >
            <span className="max-md:sr-only">{t('quote')}</span>
          </Button>
        </>
      )}
      <Menu
        label={t('more')}
        entries={actions.entries}
        // on phones the row wraps, so the menu may stand at the left edge
        className="md:relative"
        buttonClassName="inline-flex min-h-11 items-center gap-1 rounded-6 px-3 font-semibold hover:bg-well"
      />
    </div>
  )
}
