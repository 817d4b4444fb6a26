/** What staff can decide about reports, posts, topics and members, and what members can appeal. */
import { isStaff } from '../accounts/policy.ts'

type ReportState = 'open' | 'dismissed' | 'hidden'
export type ReportDecision = 'hide' | 'dismiss' | 'restore'

/** What staff can decide about a reported deal or rating: hidden ones can only be restored, dismissed ones still be hidden. */
export const reportDecisions: Record<ReportState, readonly ReportDecision[]> = {
  open: ['hide', 'dismiss'],
  dismissed: ['hide'],
  hidden: ['restore'],
}

type PostState = 'visible' | 'waiting' | 'hidden' | 'deleted' | 'rejected'
export type PostAction = 'approve' | 'edit' | 'reject' | 'hide' | 'restore' | 'take_up' | 'dismiss'

const statesFor: Record<PostAction, readonly PostState[]> = {
  approve: ['waiting'],
  edit: ['waiting', 'visible', 'hidden'],
  reject: ['waiting'],
  hide: ['visible', 'hidden'],
  restore: ['hidden', 'rejected'],
  take_up: ['visible', 'hidden', 'waiting'],
  dismiss: ['visible', 'hidden'],
}

/** False: somebody else has decided about the post, or its author has deleted it. */
export const canModeratePost = (action: PostAction, state: PostState): boolean => statesFor[action].includes(state)

/** The author reads why a post does not appear, and a member why they cannot write. */
export const needsReason = (action: string): boolean => ['reject', 'hide', 'silence', 'ban'].includes(action)

/** The state of a post's flags after an action: `resolved` means that the flaggers were right, `rejected` that they were not. */
export const flagsAfter = {
  approve: 'rejected',
  edit: 'resolved',
  reject: 'resolved',
  hide: 'resolved',
  restore: 'rejected',
  take_up: 'wip',
  dismiss: 'rejected',
} as const satisfies Record<PostAction, string>

/** Also a topic that still waits, with the replies of others, although its author has deleted the first post. */
export const canRestoreTopic = (topic: string, firstPost: PostState | undefined): boolean =>
  topic === 'hidden' || (topic === 'waiting' && firstPost === 'deleted')

/** Staff are never silenced or banned. */
export const canModerateMember = (role: string): boolean => !isStaff(role)

const isInForce = (until: Date | string | null | undefined, now: Date) => until != null && new Date(until) > now

/** Decisions about a member that still hold, so that the member can appeal. */
export const appealableBars = (member: Record<'silenced_until' | 'banned_until', Date | null>, now: Date): string[] => [
  ...(isInForce(member.silenced_until, now) ? ['member_silence'] : []),
  ...(isInForce(member.banned_until, now) ? ['member_ban'] : []),
]

/** Decisions about a post that still hold, so that its author can appeal. */
export const appealablePostDecisions = (state: PostState): string[] =>
  state === 'hidden' || state === 'rejected' ? ['post_hide', 'post_reject'] : []

/** How an open appeal about a post ends without a decision about the appeal: null while the post is still hidden or rejected. */
export const appealEndOfPost = (state: PostState | null | undefined): 'overturned' | 'closed' | null =>
  state === 'visible' ? 'overturned' : state === 'deleted' ? 'closed' : null

/** The same for a silence or ban, which ends at `until`: taken back is overturned, run out is closed. */
export const appealEndOfBar = (until: string | null | undefined, now: Date): 'overturned' | 'closed' | null =>
  until == null ? 'overturned' : isInForce(until, now) ? null : 'closed'
