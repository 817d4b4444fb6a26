import { privateAddress } from '../../kit/server/upload-keys.ts'
import { uploadsPath } from '../../kit/server/uploads.ts'
import type { Post, Topic } from '../contract.ts'
import type { ForumRoom } from './room.ts'
import type { PostRow, TopicRow } from './store.ts'

export function topicAnswer(row: TopicRow): Topic {
  const { merged_into: _into, merged_by_number: _by, hidden_with_post: _with, ...topic } = row
  return topic
}

/**
 * A post as the viewer sees it. Visible: whole. Deleted or hidden: its place, without content. Waiting or rejected: null. Authors
 * (and staff, `toStaff`) see hidden, waiting and rejected posts whole, with the moderators' reason.
 */
export function postAnswer(
  room: Pick<ForumRoom, 'keyring' | 'clock'>,
  row: PostRow,
  viewerId: string | null,
  { isTopicSeen = true, toStaff = false }: { isTopicSeen?: boolean; toStaff?: boolean } = {},
): Post | null {
  const { image_name, ...post } = row
  const isOwn = viewerId !== null && row.author.member_id === viewerId
  const isSeen = row.state === 'visible' && isTopicSeen
  const image_url = image_name === null ? null : isSeen ? uploadsPath + image_name : privateAddress(room, image_name)
  if (row.state === 'visible') return { ...post, image_url, reason: null }
  if ((isOwn || toStaff) && row.state !== 'deleted') return { ...post, image_url }
  if (row.state === 'deleted' || row.state === 'hidden')
    return { ...post, image_url: null, reason: null, body: '', content: [], like_count: 0 }
  return null
}
