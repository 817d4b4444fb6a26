import { useEffect } from 'react'
import { redirect, type LoaderFunctionArgs } from 'react-router'
import { ask, askOrFail, pageError } from '../../kit/browser/ask.ts'
import { isTemporary } from '../../kit/shared/refusal.ts'
import { postPlace } from '../../site-map.ts'
import { getTopic, listPosts, type Topic } from '../contract.ts'
import { postsPerPage } from '../limits.ts'
import type { Linked } from './linked.ts'

function pageOf({ url }: Request): number {
  const asked = Number(new URL(url).searchParams.get('page') ?? 1)
  return Number.isInteger(asked) && asked >= 1 && asked <= 100_000_000 ? asked : 1
}

/** One page of a topic. A merged topic redirects to the topic that has its posts. */
export async function loadTopic({ context, params, request }: LoaderFunctionArgs) {
  const topic_id = params['topic_id'] ?? ''
  const wanted = pageOf(request)
  const found = await ask(context, getTopic, { params: { topic_id } })
  // a waiting topic exists for its author alone, and only the browser has the author's token
  const isOwn = found.refused?.status === 404 && !import.meta.env.SSR
  const as = isOwn ? ({ as: 'background' } as const) : {}
  const own = isOwn ? await ask(context, getTopic, { ...as, params: { topic_id } }) : found
  if (!own.answer) throw pageError(own.refused.status === 401 ? found.refused! : own.refused)
  const { body: topic } = own.answer
  if (topic.merged) {
    const firstPost = (wanted - 1) * postsPerPage + 1 + topic.merged.by_number
    throw redirect(postPlace(topic.topic_id, firstPost), 301)
  }
  const pages = Math.max(1, Math.ceil(topic.last_number / postsPerPage))
  const [{ body: posts }, linked] = await Promise.all([
    askOrFail(context, listPosts, { ...as, params: { topic_id }, query: { page: wanted } }),
    about(context, topic),
  ])
  const { merged: _, ...shown } = topic
  return { topic: shown, posts, page: wanted, pages, linked }
}

type LoadedTopic = Awaited<ReturnType<typeof loadTopic>>

/**
 * The page on the screen. React Router gives a loader neither the screen nor its earlier data, so the screen stores the data here while
 * it is mounted. Without it, a refresh in a dead spot would replace the page, and a draft on it, by an error page. Set in browsers alone.
 */
let shownNow: LoadedTopic | null = null

/** `loadTopic` for the browser: a refresh without an answer leaves the page as it is, and the draft on it. */
export async function loadTopicAgain(args: LoaderFunctionArgs) {
  try {
    return await loadTopic(args)
  } catch (error) {
    const { topic_id } = args.params
    const isSame = shownNow?.topic.topic_id === topic_id && shownNow?.page === pageOf(args.request)
    if (shownNow && isSame && isWithoutAnswer(error)) return shownNow
    throw error
  }
}

const isWithoutAnswer = (error: unknown) => isTemporary((error as { data?: { status?: number } } | null)?.data ?? {})

export function useShownTopic(shown: LoadedTopic): void {
  useEffect(() => {
    shownNow = shown
    return () => {
      shownNow = null
    }
  }, [shown])
}

async function about(context: LoaderFunctionArgs['context'], topic: Topic): Promise<Linked | null> {
  if (topic.linked_id === null) return null
  // if the part does not load, the page works without the card
  const part = await import('./linked.ts').catch(() => null)
  return part && part.linkedOf(context, topic)
}
