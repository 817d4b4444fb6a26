import { measureForum, nodeBbMs, nodeBbTimesBare } from '../forum.ts'
import { measureLivePosts, measurePosts } from '../forum-posts.ts'
import { compare, pageRow, plain, type Row } from './row.ts'

export async function forumRows(posts: number, seconds: number): Promise<Row[]> {
  const size = { topics: Math.round(posts / 10), posts, longTopic: 10_000 }
  const figures = await measureForum('build/app/main.mjs', size, seconds)
  const rows: Row[] = []
  const of = `${size.topics.toLocaleString('en')} topics, ${posts.toLocaleString('en')} posts, cold`
  const names = {
    listJson: 'topic list, JSON',
    topicJson: 'topic of 10 posts, JSON',
    listPage: 'topic list, page',
    topicPage: 'topic of 10 posts, page',
  } as const
  for (const key of ['listJson', 'topicJson', 'listPage', 'topicPage'] as const) {
    const { cpuMs, requestsPerSecond, p99Ms, failed } = figures[key]
    rows.push(
      plain(
        `Forum ${names[key]}; ${of}: CPU a request, server and database`,
        `${cpuMs.toFixed(2)} ms (${(nodeBbMs[key] / cpuMs).toFixed(0)} × less than NodeBB); ${Math.round(requestsPerSecond)}/s, p99 ${p99Ms.toFixed(0)} ms, ${failed} failed`,
        `≤ ${(nodeBbMs[key] / 15).toFixed(2)} ms`,
        cpuMs <= nodeBbMs[key] / 15 && failed === 0,
      ),
    )
  }
  for (const key of ['listJson', 'topicJson'] as const) {
    const [times, most] = [figures[key].cpuMs / figures.bare[key].cpuMs, nodeBbTimesBare[key] / 15]
    rows.push(
      plain(
        `Forum ${names[key]}: CPU beside a bare ${key === 'listJson' ? 'list of 20 topics' : 'topic'} of the same database (NodeBB ${nodeBbTimesBare[key]} ×)`,
        `${figures[key].cpuMs.toFixed(2)} and ${figures.bare[key].cpuMs.toFixed(2)} ms: ${times.toFixed(1)} ×`,
        `≤ ${most.toFixed(1)} ×`,
        times <= most,
      ),
    )
  }
  rows.push(compare('P3 Forum: one topic, JSON', ...figures.beside.topic, 0.55))
  rows.push(pageRow('P4 Forum: topic list, page', ...figures.beside.listPage))
  rows.push(pageRow('P4 Forum: topic of 10 posts, page', ...figures.beside.topicPage))
  const { first, last } = figures.longMs
  rows.push(
    plain(
      'P13 topic of 10,000 posts: page 1 and page 500',
      `${first.toFixed(1)} and ${last.toFixed(1)} ms`,
      'last ≤ 1.2 × first',
      last <= 1.2 * first,
    ),
    plain(
      `Forum search over ${(posts + 10_000).toLocaleString('en')} posts, p95`,
      `${figures.searchP95Ms.toFixed(0)} ms`,
      '≤ 100 ms',
      figures.searchP95Ms <= 100,
    ),
  )
  return rows
}

export async function postingRow(secondsLong: number): Promise<Row> {
  const { accounts, perSecond, sent, taken, others, p50Ms, p99Ms, missing } = await measurePosts(1000, 100, secondsLong)
  const refused = Object.entries(others).map(([status, count]) => `${count} × ${status}`)
  return plain(
    `Forum: ${perSecond} posts a second for ${secondsLong} s from ${accounts.toLocaleString('en')} established accounts`,
    `${taken} of ${sent} taken${refused.length > 0 ? ` (${refused.join(', ')})` : ''}, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms; ${missing} missing`,
    'all; 0',
    taken === sent && missing === 0,
  )
}

export async function livePostsRow(listeners: number): Promise<Row> {
  const { posts, p50Ms, p95Ms, slowestMs, cut, missing, doubled } = await measureLivePosts(listeners, 40)
  return plain(
    `Forum: ${posts} posts to ${listeners} open pages of the topic over two instances, from the moment each is sent, p95; missing, doubled`,
    `${p95Ms.toFixed(0)} ms (p50 ${p50Ms.toFixed(0)}, slowest ${slowestMs.toFixed(0)}); ${missing}, ${doubled}; ${cut} pages lost their connection meanwhile and came back`,
    '≤ 500 ms; 0, 0',
    p95Ms <= 500 && missing + doubled === 0,
  )
}
