import 'texts:forms,forum,forumMember,forumTopic,moderation'
import { useRef, useState } from 'react'
import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { askOrFail } from '../../kit/browser/ask.ts'
import { Refused } from '../../kit/browser/forms/Refused.tsx'
import { useAskOnce } from '../../kit/browser/forms/use-ask-once.ts'
import { useFocusAfter } from '../../kit/browser/forms/use-focus-after.ts'
import { useSend } from '../../kit/browser/forms/use-send.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { isStaff } from '../../accounts/policy.ts'
import { useStored } from '../../accounts/web/session.ts'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { ThingPage, ThingTitle } from '../../kit/browser/ui/Page.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { useDay } from '../../kit/browser/use-day.ts'
import { useWhen } from '../../kit/browser/when.ts'
import { memberPage, page } from '../../site-map.ts'
import { Initial, RoleBadge } from './AuthorLine.tsx'
import { blockMember, getMember, getMemberBars, moderateMember, unblockMember } from '../contract.ts'
import { FoundPost } from './FoundPost.tsx'
import { TextDialog, type TextQuestion } from './TextDialog.tsx'
import { useMine } from './use-mine.ts'

async function load({ context, params }: LoaderFunctionArgs) {
  const { body } = await askOrFail(context, getMember, { params: { handle: params['handle'] ?? '' } })
  return body
}
export { load as loader, load as clientLoader }

/** The card of a member: profile, latest posts, and a button to block them. */
export default function MemberScreen() {
  const member = useLoaderData<typeof load>()
  const t = useTranslations('forumMember')
  const forum = useTranslations('forum')
  const day = useDay()
  const when = useWhen()
  const name = member.name ?? forum('deletedUser')
  const level = ([0, 1, 2] as const).find((each) => each === member.level) ?? 0
  return (
    <ThingPage as="div">
      <PageHead title={name} address={memberPage(member.handle ?? '')} hidden />
      <div className="grid grid-cols-1 gap-4 md:gap-6">
        <Breadcrumb label={forum('way')} crumbs={[{ label: forum('title'), href: page.forum }, { label: name }]} />
        <section className="@container grid grid-cols-1 gap-4 rounded-6 border-2 border-rule bg-surface p-5">
          <div className="flex items-center gap-4">
            <Initial author={member} />
            <ThingTitle>{name}</ThingTitle>
          </div>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-soft">
            <span className="font-semibold">@{member.handle}</span>
            <RoleBadge role={member.role} />
            {member.role === 'user' && <Badge>{t(`levels.${level}`)}</Badge>}
            <span>{t('since', { day: day(member.joined_at) })}</span>
            <span>{t('posts', { n: member.post_count })}</span>
            <span>{t('likes', { n: member.likes_received })}</span>
          </p>
          {member.handle !== null && !isStaff(member.role) && <Bars handle={member.handle} />}
          {member.handle !== null && <Block memberId={member.member_id} handle={member.handle} />}
        </section>
      </div>
      <section aria-labelledby="latest" className="grid grid-cols-1 gap-2">
        <h2 id="latest" className="text-xl">
          {t('latest')}
        </h2>
        {member.latest.length === 0 && <p className="text-ink-soft">{t('none')}</p>}
        <ol>
          {member.latest.map((post) => (
            <li key={`${post.topic_id} ${post.post_number}`}>
              <FoundPost post={post}>
                <time dateTime={post.created_at}>{when.rowTime(post.created_at)}</time>
              </FoundPost>
            </li>
          ))}
        </ol>
      </section>
    </ThingPage>
  )
}

/** For members, but not on their own card. */
function Block({ memberId, handle }: { memberId: string; handle: string }) {
  const t = useTranslations('forumMember')
  const mine = useMine()
  const { send, isSending, refused } = useSend()
  const button = useRef<HTMLButtonElement>(null)
  useFocusAfter(isSending, () => button.current)
  if (!mine.body || mine.body.member_id === memberId) return null
  const isBlocked = mine.body.blocked.some((blocked) => blocked.member_id === memberId)
  async function change() {
    const input = { as: 'action', params: { handle } } as const
    await (isBlocked ? send(unblockMember, input) : send(blockMember, input))
    mine.again()
  }
  return (
    <div className="flex flex-wrap items-center gap-4">
      <Button ref={button} loading={isSending} onClick={() => void change()}>
        {t(isBlocked ? 'unblock' : 'block')}
      </Button>
      {isBlocked && <p className="text-sm text-ink-soft">{t('blockText')}</p>}
      {refused && <Refused refused={refused} tapped />}
    </div>
  )
}

/** For moderators; nothing for others. */
function Bars({ handle }: { handle: string }) {
  return isStaff(useStored('userType') ?? '') ? <Moderate handle={handle} /> : null
}

function Moderate({ handle }: { handle: string }) {
  const t = useTranslations('forumMember')
  const when = useWhen()
  const topic = useTranslations('forumTopic')
  const [question, setQuestion] = useState<TextQuestion | null>(null)
  const askOnce = useAskOnce()
  const [note, setNote] = useState<string | null>(null)
  const { body: bars, refused: unknown, again } = useAnswer(getMemberBars, { params: { handle }, as: 'background' })
  const silencedUntil = bars?.silenced_until
  async function decide(action: 'silence' | 'unsilence' | 'ban' | 'unban', reason?: string) {
    const { refused } = await askOnce(moderateMember, {
      as: 'action',
      params: { handle },
      body: { action, ...(reason === undefined ? {} : { reason }) },
    })
    setNote(refused ? refused.error || topic(refused.status === 0 ? 'offline' : 'failed') : t('done'))
    again()
    return refused
  }
  const askWhy = (action: 'silence' | 'ban') => () =>
    setQuestion({ title: t(action), label: topic('reasonLabel'), send: (reason) => decide(action, reason) })
  return (
    <div className="flex flex-wrap items-center gap-3">
      {(silencedUntil || bars?.banned_until) && (
        <p className="flex w-full flex-wrap gap-2">
          {silencedUntil && (
            <Badge tone="wine">
              {t('silencedUntil', { when: `${when.day(silencedUntil)}, ${when.clock(silencedUntil)}` })}
            </Badge>
          )}
          {bars?.banned_until && <Badge tone="wine">{t('banned')}</Badge>}
        </p>
      )}
      <Button onClick={askWhy('silence')}>{t('silence')}</Button>
      {!bars?.banned_until && (
        <Button variant="danger" onClick={askWhy('ban')}>
          {t('ban')}
        </Button>
      )}
      {/* both where the present bars could not be loaded */}
      {(silencedUntil || unknown) && <Button onClick={() => void decide('unsilence')}>{t('liftSilence')}</Button>}
      {(bars?.banned_until || unknown) && <Button onClick={() => void decide('unban')}>{t('liftBan')}</Button>}
      <output className="text-sm font-semibold">{note}</output>
      <TextDialog question={question} onClose={() => setQuestion(null)} />
    </div>
  )
}
