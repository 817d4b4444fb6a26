import { z } from 'zod'
import { author, flagKinds, forumCategory, forumInstant, post } from '../../forum/contract.ts'
import { answerId, answerInstant, answerList, answerName, answerText } from '../../kit/shared/answer.ts'
import { endpoint } from '../../kit/shared/endpoint.ts'
import { pageQuery, pathId } from '../../kit/shared/input.ts'
import { invalidInput, type RefusalKind } from '../../kit/shared/refusal.ts'
import { keyUsed, staffAlone } from '../../staff/contract.ts'

export const appealNotFound = { code: 'appeal_not_found', status: 404 } as const satisfies RefusalKind

const appealed = z
  .object({
    action_id: answerId,
    at: forumInstant,
    moderator: author,
    action: answerText(40),
    object: answerName(200),
    member: author.nullable(),
    reason: answerText(500).nullable(),
    topic_id: answerId.nullable(),
    post_id: answerId.nullable(),
    post_number: z.number().int().nullable(),
    appeal: answerText(1000),
    appealed_at: forumInstant,
    body: post.shape.body.nullable().meta({ description: 'what the post says now; null: about a person' }),
    content: post.shape.content.nullable(),
    lang: post.shape.lang.nullable(),
    image_url: post.shape.image_url,
    edited_at: answerInstant.nullable(),
  })
  .meta({ id: 'ForumAppeal' })

export const listForumQueue = endpoint({
  method: 'GET',
  path: '/api/forum/moderation/queue',
  summary:
    'Posts that wait for approval or were flagged, oldest first; a deleted one stands for its topic, which waits with the replies of others',
  tag: 'forum',
  query: z.object({ ...pageQuery }),
  access: staffAlone,
  answer: answerList(
    z
      .object({
        post,
        title: answerName(120),
        category: forumCategory,
        flags: answerList(
          z.object({
            kind: z.enum(flagKinds).meta({ unread: 'other' }),
            note: answerText(500).nullable(),
            counts: z.boolean().meta({ description: 'true: it counts towards hiding the post' }),
            state: z.enum(['open', 'wip', 'resolved', 'rejected']).meta({ unread: 'open' }),
            by: answerText(40).nullable().meta({ description: 'handle' }),
          }),
          50,
        ),
      })
      .meta({ id: 'ForumQueued' }),
    100,
  ),
  paged: true,
  refusals: [invalidInput],
})

export const listForumAppeals = endpoint({
  method: 'GET',
  path: '/api/forum/moderation/appeals',
  summary: 'Appeals that nobody has decided yet, oldest first, at most 100',
  tag: 'forum',
  access: staffAlone,
  answer: answerList(appealed, 100),
  refusals: [],
})

export const decideAppeal = endpoint({
  method: 'POST',
  path: '/api/forum/moderation/appeals/{action_id}',
  summary: 'Upholds what was done, or takes it back',
  tag: 'forum',
  params: z.object({ action_id: pathId }),
  body: z.object({ decision: z.enum(['upheld', 'overturned']) }),
  access: staffAlone,
  staff: { action: 'decide-appeal', inverse: false },
  idempotent: true,
  answer: null,
  status: 204,
  refusals: [invalidInput, appealNotFound, keyUsed],
})
