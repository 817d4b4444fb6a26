import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addDeal } from '../../../test/cast.ts'
import { forumPeople } from '../../../test/forum-people.ts'
import { aMerchant, get, type Person } from '../../../test/people.ts'
import { startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
const { later, fresh, newcomer, send, aTopic, newTopic, reply, newReply, cast } = forumPeople(() => app)
let lena: Person
let mia: Person
let noah: Person
let staff: Person
beforeAll(async () => {
  app = await startTestApp()
  ;({ lena, mia, noah, staff } = await cast())
})
afterAll(() => app.close())

describe('a conversation', () => {
  it('begins with a topic, goes on with replies and is read by everybody', async () => {
    await fresh()
    const { topic } = await newTopic(lena, {
      tags: ['Queue', '#bridge'],
      body: 'Where is the **shortest** queue tonight?',
    })
    await newReply(mia, topic.topic_id, 'At the ferry, as always. @lena', { reply_to: 1 })
    const list = await get(app, '/api/forum/topics?category=help')
    expect(list.body[0]).toMatchObject({
      topic_id: topic.topic_id,
      title: 'Where is the queue shortest?',
      tags: ['queue', 'bridge'],
      lang: 'en',
      post_count: 2,
      last_number: 2,
      author: { name: 'lena', handle: 'lena', role: 'user' },
      last_author: { handle: 'mia' },
    })
    const posts = await get(app, `/api/forum/topics/${topic.topic_id}/posts`)
    expect(posts.headers.get('x-total-count')).toBe('2')
    expect(posts.body).toMatchObject([
      {
        post_number: 1,
        content: [{ e: 'p', c: ['Where is the ', { e: 'strong', c: ['shortest'] }, ' queue tonight?'] }],
      },
      { post_number: 2, reply_to: 1, state: 'visible' },
    ])
    const categories = await get(app, '/api/forum/categories')
    expect(categories.body.find((one: { category: string }) => one.category === 'help')).toMatchObject({
      topic_count: 1,
      last_topic: { topic_id: topic.topic_id },
    })
  })

  it('links to the members it mentions; an unknown name stays text, also in the preview and after an edit', async () => {
    await fresh()
    const body = '**Ask @mia or @nobody-here**'
    const mia = { e: 'mention', href: 'mia', c: ['@mia'] }
    const shown = [{ e: 'p', c: [{ e: 'strong', c: ['Ask ', mia, ' or @nobody-here'] }] }]
    expect((await send('POST', '/api/forum/preview', lena, { body })).body.content).toEqual(shown)
    const { post } = await newTopic(lena, { body })
    expect(post).toMatchObject({ content: shown })
    const changed = await send('PATCH', `/api/forum/posts/${post.post_id}`, lena, { body: '@nobody-here, or @mia?' })
    expect(changed.body.content).toEqual([{ e: 'p', c: ['@nobody-here, or ', mia, '?'] }])
  })

  it('keeps the pages and numbers of posts while others write and delete', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const replies = []
    for (let number = 2; number <= 23; number++) {
      later(1)
      if (number % 10 === 0) await fresh()
      replies.push(await newReply(number % 2 ? lena : mia, topic.topic_id, `Reply number ${number}`))
    }
    const second = `/api/forum/topics/${topic.topic_id}/posts?page=2`
    const before = await get(app, second)
    expect(before.body.map((one: { post_number: number }) => one.post_number)).toEqual([21, 22, 23])
    expect((await send('DELETE', `/api/forum/posts/${replies[3]!.post_id}`, lena)).status).toBe(204)
    const after = await get(app, second)
    expect(after.body).toEqual(before.body)
    const first = await get(app, `/api/forum/topics/${topic.topic_id}/posts`)
    expect(first.body).toHaveLength(20)
    expect(first.body[4]).toMatchObject({ post_number: 5, state: 'deleted', body: '', content: [] })
    expect(first.headers.get('link')).toMatch(/after=.+rel="next"/)
  })
})

describe('who may not', () => {
  it('a guest cannot write, like, flag or watch', async () => {
    await fresh()
    const { topic, post } = await newTopic(lena)
    for (const [method, path, body] of [
      ['POST', '/api/forum/topics', aTopic()],
      ['POST', `/api/forum/topics/${topic.topic_id}/posts`, { body: 'Hello there' }],
      ['PUT', `/api/forum/posts/${post.post_id}/like`, undefined],
      ['POST', `/api/forum/posts/${post.post_id}/flag`, { kind: 'spam' }],
      ['PUT', `/api/forum/topics/${topic.topic_id}/watch`, { mode: 'watch' }],
      ['DELETE', `/api/forum/posts/${post.post_id}`, undefined],
    ] as const)
      expect((await send(method, path, null, body)).status, `${method} ${path}`).toBe(401)
  })

  it('nobody edits or deletes a post of somebody else, nor likes or flags an own one', async () => {
    await fresh()
    const { topic, post } = await newTopic(lena)
    const path = `/api/forum/posts/${post.post_id}`
    expect(await send('PATCH', path, mia, { body: 'Mine now' })).toMatchObject({
      status: 403,
      body: { code: 'not_your_post' },
    })
    expect(await send('DELETE', path, mia)).toMatchObject({ status: 403, body: { code: 'not_your_post' } })
    expect(await send('PUT', `${path}/like`, lena)).toMatchObject({ status: 403, body: { code: 'own_post' } })
    expect(await send('POST', `${path}/flag`, lena, { kind: 'spam' })).toMatchObject({ status: 403 })
    expect(await send('PATCH', `/api/forum/topics/${topic.topic_id}`, mia, { title: 'Another title' })).toMatchObject({
      status: 403,
    })
  })

  it('only staff begin topics under Announcements', async () => {
    await fresh()
    const news = aTopic({ category: 'announcements', title: 'The river rises' })
    expect(await send('POST', '/api/forum/topics', lena, news)).toMatchObject({
      status: 403,
      body: { error: 'Only the festival team starts topics here.' },
    })
    expect((await send('POST', '/api/forum/topics', staff, news)).status).toBe(201)
  })

  it('a suspended merchant cannot write', async () => {
    await fresh()
    const bar = await aMerchant(app, 'suspended-bar@example.org')
    const { topic, post } = await newTopic(bar, { category: 'food-deals' })
    const suspended = (reason: string | null) =>
      app.db
        .updateTable('businesses')
        .set({ suspended_at: reason === null ? null : new Date(), suspended_reason: reason })
        .where('business_id', '=', bar.businessId)
        .execute()
    await suspended('Deceives visitors')
    for (const [method, path, body] of [
      ['POST', '/api/forum/topics', aTopic({ category: 'food-deals' })],
      ['POST', `/api/forum/topics/${topic.topic_id}/posts`, { body: 'Come to our bar!' }],
      ['PATCH', `/api/forum/posts/${post.post_id}`, { body: 'Come to our bar!' }],
      ['PATCH', `/api/forum/topics/${topic.topic_id}`, { title: 'Come to our bar!' }],
    ] as const)
      expect(await send(method, path, bar, body), `${method} ${path}`).toMatchObject({
        status: 403,
        body: { code: 'business_suspended' },
      })
    await suspended(null)
    await newReply(bar, topic.topic_id, 'We are open again.')
  })

  it('a locked topic takes no reply (409), a deleted or unknown one is not found (404)', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const lock = `/api/forum/moderation/topics/${topic.topic_id}`
    expect((await send('POST', lock, staff, { action: 'lock' })).status).toBe(204)
    expect(await reply(mia, topic.topic_id, 'Too late?')).toMatchObject({
      status: 409,
      body: { error: 'This topic is locked.' },
    })
    const own = `/api/forum/topics/${topic.topic_id}`
    expect(await send('PATCH', own, lena, { title: 'Another title' })).toMatchObject({
      status: 409,
      body: { code: 'topic_locked' },
    })
    expect((await send('PATCH', own, lena, { solved_number: 1 })).status).toBe(200)
    const { topic: gone, post } = await newTopic(noah)
    expect((await send('DELETE', `/api/forum/posts/${post.post_id}`, noah)).status).toBe(204)
    expect(await reply(mia, gone.topic_id, 'Anybody here?')).toMatchObject({
      status: 404,
      body: { error: 'Topic not found.' },
    })
    for (const id of ['nothing', '01900000-0000-7000-8000-000000000000'])
      expect((await get(app, `/api/forum/topics/${id}`)).status).toBe(404)
  })
})

describe('a text', () => {
  it.each([
    [{ title: 'four' }, 'title', 'Title must have 5 to 120 characters.'],
    [{ title: 'x'.repeat(121) }, 'title', 'Title must have 5 to 120 characters.'],
    [{ title: '   abcd   ' }, 'title', 'Title must have 5 to 120 characters.'],
    [{ title: 'A title\nof two lines' }, 'title', 'Please use a single line.'],
    [{ title: 'Turned \u202E around' }, 'title', 'This text contains characters that cannot be saved.'],
    [
      { title: `Piled ${'a\u0301\u0302\u0303\u0304\u0305'.repeat(3)}` },
      'title',
      'This text contains characters that cannot be saved.',
    ],
    [{ title: '\u2800'.repeat(5) }, 'title', 'This text contains characters that cannot be saved.'],
    [{ tags: ['fine', '\u200B'] }, /^tags/, 'This text contains characters that cannot be saved.'],
    [{ tags: ['\u202Ea'] }, /^tags/, 'This text contains characters that cannot be saved.'],
    [{ tags: ['##'] }, /^tags/, 'Please fill this in.'],
    [{ body: 'x' }, 'body', 'At least 2 characters, please.'],
    [{ body: '\u200B'.repeat(3) }, 'body', 'Please fill this in.'],
    [{ body: '\u2800 \u2800' }, 'body', 'Please fill this in.'],
    [{ body: 'x'.repeat(10_001) }, 'body', 'At most 10,000 characters, please.'],
    [{ body: 'with \0 in it' }, 'body', 'This text contains characters that cannot be saved.'],
    [{ body: 'half \ud83c of a sign' }, 'body', 'This text contains characters that cannot be saved.'],
    [{ category: 'nonsense' }, 'category', /Please choose one of/],
    [{ image_url: 'https://evil.example/x.png' }, 'image_url', /^This picture is not one of yours/],
    [
      { image_url: '/uploads/01900000-0000-7000-8000-000000000000.webp' },
      'image_url',
      /^This picture is not one of yours/,
    ],
  ])('%j is refused beside the field %s', async (wrong, field, text) => {
    await fresh()
    const { status, body } = await send('POST', '/api/forum/topics', lena, aTopic(wrong))
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_input' })
    const named = Object.keys(body.fields).find((key) => (typeof field === 'string' ? key === field : field.test(key)))
    expect(body.fields[named ?? '']).toMatch(text)
  })

  it('needs visible characters, also after an edit by its author or a moderator', async () => {
    await fresh()
    const { post } = await newTopic(lena)
    const body = '\u200B\u2800'
    const filled = { status: 400, body: { fields: { body: 'Please fill this in.' } } }
    expect(await send('PATCH', `/api/forum/posts/${post.post_id}`, lena, { body })).toMatchObject(filled)
    const edit = { action: 'edit', body }
    expect(await send('POST', `/api/forum/moderation/posts/${post.post_id}`, staff, edit)).toMatchObject(filled)
  })

  it('of 1 MB is refused (413)', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    expect((await reply(mia, topic.topic_id, 'x'.repeat(1_000_000))).status).toBe(413)
  })

  it('comes back unchanged, whatever characters it has', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const strange = 'Right\u202Eto left, z\u0301\u0302\u0303\u0304\u0305\u0306algo, <b>no</b> &amp; 🎷\n\n  spaces  '
    const written = await newReply(mia, topic.topic_id, strange)
    expect(written).toMatchObject({ body: strange })
    expect((await get(app, `/api/forum/posts/${written.post_id}`)).body.body).toBe(strange)
  })

  it('is refused a second time within five minutes, also with other case and spaces', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    await newReply(mia, topic.topic_id, 'Buy my umbrella!')
    expect(await reply(mia, topic.topic_id, 'buy  MY umbrella')).toMatchObject({
      status: 409,
      body: { error: 'You have just posted this text.' },
    })
    await fresh(6)
    await newReply(mia, topic.topic_id, 'Buy my umbrella!')
  })

  it('sent again with the same key makes one post', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const key = { idempotency_key: 'drawn-at-random-1' }
    const first = await newReply(mia, topic.topic_id, 'The answer did not arrive.', key)
    expect((await newReply(mia, topic.topic_id, 'The answer did not arrive.', key)).post_id).toBe(first.post_id)
  })

  it.each([
    ['Wo ist die Schlange am kürzesten?', 'de'],
    ['Quelqu’un a trouvé un téléphone près de la scène ?', 'fr'],
    ['Where is the queue shortest tonight?', 'en'],
    ['Dove si mangia bene dopo mezzanotte qui vicino?', 'it'],
  ])('has its language guessed, which its author corrects: %s', async (body, lang) => {
    await fresh()
    const { topic } = await newTopic(lena)
    const written = await newReply(mia, topic.topic_id, body)
    expect(written).toMatchObject({ lang })
    const corrected = await send('PATCH', `/api/forum/posts/${written.post_id}`, mia, { lang: 'en' })
    expect(corrected.body).toMatchObject({ lang: 'en', body, edited_at: null })
  })

  it('can be edited for a day, with a history, and not after', async () => {
    await fresh()
    const { post } = await newTopic(lena, { body: 'The first words of it.' })
    const path = `/api/forum/posts/${post.post_id}`
    const edited = await send('PATCH', path, lena, { body: 'The second words of it.' })
    expect(edited.body).toMatchObject({ body: 'The second words of it.', edited_at: expect.any(String) })
    expect((await get(app, `${path}/history`)).body).toMatchObject([
      { body: 'The first words of it.', replaced_by: { handle: 'lena' } },
    ])
    await fresh(25 * 60)
    expect(await send('PATCH', path, lena, { body: 'Too late for that.' })).toMatchObject({
      status: 403,
      body: { error: 'Posts can be edited for 24 hours.' },
    })
  })

  it('can be edited at most sixty times an hour, as each version is stored', async () => {
    await fresh()
    const eve = await newcomer('eve')
    const { topic, post } = await newTopic(eve)
    const path = `/api/forum/posts/${post.post_id}`
    for (let n = 0; n < 30; n++) {
      expect((await send('PATCH', path, eve, { body: `Version ${n} of it.` })).status).toBe(200)
      const title = { title: `Version ${n} of the title` }
      expect((await send('PATCH', `/api/forum/topics/${topic.topic_id}`, eve, title)).status).toBe(200)
    }
    const refused = { status: 429, body: { code: 'too_many_requests' } }
    expect(await send('PATCH', path, eve, { body: 'One more of it.' })).toMatchObject(refused)
    expect(await send('PATCH', `/api/forum/topics/${topic.topic_id}`, eve, { title: 'One more' })).toMatchObject(
      refused,
    )
  })

  it('is gone from post, search and history once it is deleted', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const written = await newReply(mia, topic.topic_id, 'Thelonious played the umbrellaphone.')
    await send('PATCH', `/api/forum/posts/${written.post_id}`, mia, { body: 'He played the umbrellaphone.' })
    expect((await get(app, '/api/forum/search?q=umbrellaphone')).body).toHaveLength(1)
    expect((await send('DELETE', `/api/forum/posts/${written.post_id}`, mia)).status).toBe(204)
    expect((await get(app, '/api/forum/search?q=umbrellaphone')).body).toEqual([])
    for (const path of ['', '/history'])
      expect((await get(app, `/api/forum/posts/${written.post_id}${path}`)).status).toBe(404)
    const { rows } = {
      rows: await app.db.selectFrom('forum_posts').select('body').where('post_id', '=', written.post_id).execute(),
    }
    expect(rows).toEqual([{ body: '' }])
  })
})

describe('likes, watching and reading', () => {
  it('a post is liked once, and the like can be taken back', async () => {
    await fresh()
    const { topic, post } = await newTopic(lena)
    const like = `/api/forum/posts/${post.post_id}/like`
    for (const times of [1, 2]) expect((await send('PUT', like, mia)).status, `time ${times}`).toBe(204)
    expect((await get(app, `/api/forum/posts/${post.post_id}`)).body.like_count).toBe(1)
    const mine = `/api/forum/topics/${topic.topic_id}/mine`
    expect((await get(app, mine, mia.authToken)).body.liked).toEqual([post.post_id])
    expect((await send('DELETE', like, mia)).status).toBe(204)
    expect((await get(app, `/api/forum/posts/${post.post_id}`)).body.like_count).toBe(0)
  })

  it('a topic stores how far a member has read, and whether they watch it', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    await newReply(noah, topic.topic_id, 'First of the replies')
    const path = `/api/forum/topics/${topic.topic_id}`
    expect((await send('PUT', `${path}/read`, mia, { post_number: 999 })).status).toBe(204)
    expect((await send('PUT', `${path}/watch`, mia, { mode: 'watch' })).status).toBe(204)
    expect((await get(app, `${path}/mine`, mia.authToken)).body).toMatchObject({ read_to: 2, mode: 'watch' })
    expect((await get(app, '/api/forum/mine', mia.authToken)).body.read[0]).toEqual({
      topic_id: topic.topic_id,
      read_to: 2,
      mode: 'watch',
    })
  })

  it('posts of a blocked member are marked for the one who blocked them', async () => {
    await fresh()
    const { topic, post } = await newTopic(noah)
    expect((await send('PUT', '/api/forum/members/noah/block', mia)).status).toBe(204)
    const mine = `/api/forum/topics/${topic.topic_id}/mine`
    const { body } = await get(app, mine, mia.authToken)
    expect(body.blocked).toHaveLength(1)
    expect((await get(app, mine, lena.authToken)).body.blocked).toEqual([])
    expect((await send('DELETE', '/api/forum/members/noah/block', mia)).status).toBe(204)
    expect((await get(app, mine, mia.authToken)).body.blocked).toEqual([])
    expect((await send('PUT', '/api/forum/members/mia/block', mia)).status).toBe(403)
    expect(post.author.handle).toBe('noah')
  })

  it('the author of a topic marks the post that solved it', async () => {
    await fresh()
    const { topic } = await newTopic(lena)
    const answer = await newReply(mia, topic.topic_id, 'Behind the bridge there is none.')
    const path = `/api/forum/topics/${topic.topic_id}`
    expect(await send('PATCH', path, lena, { solved_number: answer.post_number })).toMatchObject({
      status: 200,
      body: { solved_number: 2 },
    })
    expect((await send('PATCH', path, lena, { solved_number: 77 })).status).toBe(404)
  })
})

describe('two first acts of a new member', () => {
  it('at the same moment make one member with one handle', async () => {
    await fresh()
    const { topic } = await newTopic(lena, { title: 'Who comes along?' })
    for (let round = 0; round < 3; round++) {
      const person = await newcomer(`racer${round}`)
      const at = `/api/forum/topics/${topic.topic_id}`
      const answers = await Promise.all([
        send('PUT', `${at}/read`, person, { post_number: 1 }),
        send('PUT', `${at}/watch`, person, { mode: 'watch' }),
        reply(person, topic.topic_id, `I do, number ${round}.`),
        send('PUT', `${at}/read`, person, { post_number: 1 }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 201, 204])
      expect((await get(app, '/api/forum/mine', person.authToken)).body.handle).toBe(`racer${round}`)
    }
  })
})

describe('trust', () => {
  /** Claims a deal, which is then redeemed. */
  async function redeemOne(person: Person) {
    const bar = await aMerchant(app, `bar-of-${person.email}`)
    const deal = await addDeal(app.db, bar.businessId, 'Spritz', { redemption_mode: 'code' })
    const { body: claim } = await send('POST', `/api/deals/${deal}/claim`, person)
    const { status } = await send('POST', '/api/redemptions', bar, { payload: claim.qr_payload, amount_chf: 8 })
    expect(status).toBe(201)
    await app.runJobs()
  }
  const verified = (person: Person) =>
    app.db.updateTable('accounts').set({ verified_at: new Date() }).where('email', '=', person.email).execute()
  const levelOf = async (person: Person) => (await get(app, '/api/forum/mine', person.authToken)).body.level

  it('grows with a redeemed deal and a confirmed address, whichever came first', async () => {
    await fresh()
    const before = await newcomer('early')
    await verified(before)
    await redeemOne(before)
    await newTopic(before)
    expect(await levelOf(before)).toBe(1)

    const after = await newcomer('late')
    await newTopic(after)
    await redeemOne(after)
    expect(await levelOf(after)).toBe(0)
    await verified(after)
    expect(await levelOf(after)).toBe(1)
  })
})

describe('feeds', () => {
  it('have new topics and posts, and answer 304 when nothing has changed', async () => {
    await fresh()
    const { topic } = await newTopic(lena, { title: 'Tags & <angles> in a feed', category: 'line-up' })
    await newReply(mia, topic.topic_id, 'A reply with ]]> and <script>alert(1)</script>')
    const titles = {
      '/forum/feed.xml': 'Rheinklang: Forum',
      '/forum/line-up/feed.xml': 'Rheinklang: Line-up &amp; Artists',
      [`/forum/topic/${topic.topic_id}/feed.xml`]: 'Rheinklang: Tags &amp; &lt;angles&gt; in a feed',
    }
    for (const [path, title] of Object.entries(titles)) {
      const feed = await fetch(app.url + path)
      expect(feed.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
      const text = await feed.text()
      expect(text).toContain(`<title>${title}</title>`)
      expect(text).toMatch(/<item>\s*(<(?!title)[^]*?)?<title>Tags &amp; &lt;angles&gt; in a feed/)
      expect(text).not.toContain('<title><![CDATA[')
      expect(text).toContain(`/topic/${topic.topic_id}`)
      expect(text).not.toContain('<script>alert')
      const again = await fetch(app.url + path, { headers: { 'if-none-match': feed.headers.get('etag')! } })
      expect(again.status).toBe(304)
    }
    expect((await fetch(`${app.url}/forum/nonsense/feed.xml`)).status).toBe(404)
  })

  it('without entries answer 304 too, also much later', async () => {
    const path = `${app.url}/forum/lost-found/feed.xml`
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-20T17:30:00Z') })
    try {
      const feed = await fetch(path)
      expect(await feed.text()).not.toContain('<item>')
      vi.setSystemTime(Date.parse('2026-06-20T18:30:00Z'))
      const again = await fetch(path, { headers: { 'if-none-match': feed.headers.get('etag')! } })
      expect(again.status).toBe(304)
    } finally {
      vi.useRealTimers()
    }
  })
})
