import type { Site } from '../../kit/browser/site.ts'
import type { Thing } from '../../kit/browser/structured-data.ts'
import { memberPage, postPlace, topicPage } from '../../site-map.ts'
import type { Author, Post, Topic } from '../contract.ts'

/** A topic as schema.org data: the first post, and the other posts of this page as comments. */
export function discussionData(site: Site, topic: Topic, posts: Post[]): Thing {
  const seen = posts.filter((post) => post.state === 'visible')
  const first = seen.find((post) => post.post_number === 1)
  return {
    '@type': 'DiscussionForumPosting',
    '@id': `${site.origin}${topicPage(topic.topic_id)}#post-1`,
    url: site.origin + topicPage(topic.topic_id),
    headline: topic.title,
    // search engines require a text, also on later pages, which do not have the first post
    text: first?.body || topic.title,
    image: first?.image_url ? site.origin + first.image_url : undefined,
    author: personOf(site, topic.author),
    datePublished: topic.created_at,
    dateModified: first?.edited_at ?? undefined,
    inLanguage: topic.lang,
    keywords: topic.tags.length > 0 ? topic.tags.join(', ') : undefined,
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/CommentAction',
      userInteractionCount: Math.max(0, topic.post_count - 1),
    },
    comment: seen.filter((post) => post.post_number !== 1).map((post) => commentOf(site, post)),
  }
}

function commentOf(site: Site, post: Post): Thing {
  return {
    '@type': 'Comment',
    '@id': site.origin + postPlace(post.topic_id, post.post_number),
    url: site.origin + postPlace(post.topic_id, post.post_number),
    text: post.body || undefined,
    author: personOf(site, post.author),
    datePublished: post.created_at,
    dateModified: post.edited_at ?? undefined,
    inLanguage: post.lang,
    interactionStatistic:
      post.like_count > 0
        ? {
            '@type': 'InteractionCounter',
            interactionType: 'https://schema.org/LikeAction',
            userInteractionCount: post.like_count,
          }
        : undefined,
  }
}

function personOf(site: Site, { name, handle, role }: Author): Thing {
  return {
    '@type': role === 'business' ? 'Organization' : 'Person',
    name: name ?? '–',
    url: handle === null ? undefined : site.origin + memberPage(handle),
  }
}
