import { expect, it } from 'vitest'
import { newId } from '../../src/kit/server/ids.ts'
import { readMarkdown } from '../../src/kit/server/markdown.ts'
import type { Database } from '../../src/kit/server/database.ts'
import { inBrowser, useBrowser } from './browser.ts'
import { payloads, walkToTheEnd } from './payloads.ts'

inBrowser('a text in the forum', () => {
  const at = useBrowser({ now: null })

  it(`runs no script: ${payloads.length} payloads in every field on every page that shows them`, async () => {
    const { page, faults } = await at.visit('/', { expected: /404 \(Not Found\)/ })
    for (const [index, payload] of payloads.entries()) {
      const topicId = await plant(at.app.db, index, payload)
      // lists and one topic show all payloads; a page for each topic or member would take long
      if (index % 12 > 0) continue
      await page.goto(`/topic/${topicId}`)
      await expect.poll(() => page.locator('main article').count()).toBe(3)
      await page.goto(`/forum/members/payload-${index}`)
      await expect.poll(() => page.locator('h1').innerText()).not.toBe('')
    }
    await walkToTheEnd(page, [`/topic/${await gather(at.app.db)}`, '/forum', '/forum/search?q=alert'])
    for (const path of ['/forum/help', '/forum?sort=new', '/forum/search?q=javascript']) await page.goto(path)
    for (const payload of payloads.slice(0, 5)) {
      await page.goto(`/forum/search?q=${encodeURIComponent(payload)}&lang=${encodeURIComponent(payload)}`)
      await page.goto(`/forum?tag=${encodeURIComponent(payload.slice(0, 30))}`)
    }
    expect(faults).toEqual([])
    const links = await page.evaluate(() => document.querySelectorAll('script:not([nonce])').length)
    expect(links).toBe(0)
  })

  it('has links marked nofollow, ugc and noopener, and none to a script', async () => {
    const topicId = await plant(at.app.db, 99, '[a](https://example.org) [b](javascript:alert(1)) https://example.net')
    const { page } = await at.visit(`/topic/${topicId}`)
    const links = await page
      .locator('main article')
      .first()
      .locator('a[href^="http"]')
      .evaluateAll((all) => all.map((link) => [(link as HTMLAnchorElement).href, (link as HTMLAnchorElement).rel]))
    expect(links.filter(([href]) => href!.includes('example'))).toEqual([
      ['https://example.org/', 'nofollow ugc noopener'],
      ['https://example.net/', 'nofollow ugc noopener'],
    ])
    await expect.poll(() => page.locator('a[href^="javascript" i]').count()).toBe(0)
  })

  it('cannot reverse or cover the text beside it', async () => {
    const zalgo = `z${'\u0301\u0316'.repeat(300)}algo`
    const topicId = await plant(at.app.db, 98, `\u202E${zalgo} and the end`)
    const { page } = await at.visit(`/topic/${topicId}`)
    const overflowing = await page
      .locator('main article')
      .first()
      .evaluate((article) => {
        const text = article.querySelector('[lang]')!
        return getComputedStyle(text).overflowY
      })
    expect(overflowing).toBe('clip')
    const author = page.locator('main article').first().getByRole('link').first()
    await expect.poll(() => author.evaluate((link) => getComputedStyle(link).direction)).toBe('ltr')
  })
})

/** Merges all topics into one of them, as staff can. */
async function gather(db: Database): Promise<string> {
  const { topic_id } = await db.selectFrom('forum_topics').select('topic_id').limit(1).executeTakeFirstOrThrow()
  const posts = await db.selectFrom('forum_posts').select('post_id').where('topic_id', '!=', topic_id).execute()
  for (const [n, { post_id }] of posts.entries())
    await db
      .updateTable('forum_posts')
      .set({ topic_id, post_number: n + 4 })
      .where('post_id', '=', post_id)
      .execute()
  const last = posts.length + 3
  await db
    .updateTable('forum_topics')
    .set({ last_number: last, post_count: last })
    .where('topic_id', '=', topic_id)
    .execute()
  return topic_id
}

/** A member, their topic and three posts, each with the payload in all texts. */
async function plant(db: Database, index: number, payload: string): Promise<string> {
  const [memberId, topicId] = [newId(), newId()]
  const now = new Date()
  const title = `${payload.slice(0, 110)} title`
  await db
    .insertInto('forum_members')
    .values({ member_id: memberId, handle: `payload-${index}`, display_name: payload.slice(0, 80), joined_at: now })
    .execute()
  await db
    .insertInto('forum_topics')
    .values({
      topic_id: topicId,
      category: 'help',
      title,
      tags: [payload.slice(0, 30)],
      lang: 'en',
      author_id: memberId,
      created_at: now,
      updated_at: now,
      last_post_at: now,
      last_author_id: memberId,
      last_number: 3,
      post_count: 3,
    })
    .execute()
  const bodies = [
    payload,
    `[x](${payload}) ![y](${payload}) <${payload}>`,
    `> ${payload}\n\n- ${payload}\n\n\`${payload}\``,
  ]
  for (const [number, body] of bodies.entries()) {
    const { content, plain } = readMarkdown(body)
    await db
      .insertInto('forum_posts')
      .values({
        post_id: newId(),
        topic_id: topicId,
        post_number: number + 1,
        author_id: memberId,
        created_at: now,
        lang: 'en',
        body,
        content: JSON.stringify(content),
        body_hash: Buffer.from(plain),
        image_name: number === 1 ? '"><img src=x onerror=alert(1)>' : null,
      })
      .execute()
  }
  return topicId
}
