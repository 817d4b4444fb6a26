import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { forumPeople } from '../forum-people.ts'
import { get, type Person } from '../people.ts'
import { api } from '../start-app.ts'
import { loggedIn, main } from './account-pages.ts'
import {
  desktop,
  expectAccessible,
  expectNoSidewaysScroll,
  hydrated,
  inBrowser,
  loseAnswers,
  phone,
  sizes,
  useBrowser,
} from './browser.ts'
import { hold } from './map-pages.ts'

inBrowser('the forum', () => {
  const at = useBrowser({ demo: true, now: null })
  const { newcomer, moderator, newTopic, newReply, send } = forumPeople(() => at.app)
  const open = async (person: Person, path: string, size = desktop, expected?: RegExp) => {
    const visit = await at.visit('/contact', { viewport: size, ...(expected ? { expected } : {}) })
    await loggedIn(visit.context, person)
    await visit.page.goto(path)
    await hydrated(visit.page)
    return visit
  }
  const post = (page: Page, number: number) => main(page).getByRole('article', { name: `Post ${number}`, exact: true })

  it('focuses the field for which a topic or a reply is refused', async () => {
    const { page } = await open(await newcomer('ida'), '/forum/new', phone, /400/)
    const isFocused = (label: string) => () =>
      main(page)
        .getByLabel(label)
        .evaluate((element) => element === document.activeElement)
    await main(page).getByLabel('Title').fill('Hm')
    await main(page).getByLabel('Your post').fill('Lost it near the ferry.')
    await main(page).getByRole('button', { name: 'Post topic' }).click()
    await main(page).getByText('Please check the marked field.').waitFor()
    // the message appears once, beside the field
    expect(await main(page).getByText('Title must have 5 to 120 characters.').count()).toBe(1)
    await expect.poll(isFocused('Title')).toBe(true)
    // a refused text in the preview is shown in its field again
    await main(page).getByLabel('Title').fill('Who has seen my umbrella?')
    await main(page).getByLabel('Your post').fill('x')
    await main(page).getByRole('button', { name: 'Preview' }).click()
    await main(page).getByRole('button', { name: 'Post topic' }).click()
    await expect.poll(isFocused('Your post')).toBe(true)
    await main(page).getByLabel('Your post').fill('Lost it near the ferry.')
    await main(page).getByRole('button', { name: 'Post topic' }).click()
    await page.waitForURL(/\/topic\//)
    await main(page).getByLabel('Your reply').fill('x')
    await main(page).getByRole('button', { name: 'Post reply' }).click()
    await expect.poll(isFocused('Your reply')).toBe(true)
    // leaving for another page while a reply is being sent does not lead back
    await main(page).getByLabel('Your reply').fill('Found it.')
    const letGo = await hold(page, /\/api\/forum\/topics\/[^/]+\/posts$/)
    const sent = page.waitForResponse((answer) => answer.request().method() === 'POST')
    await main(page).getByRole('button', { name: 'Post reply' }).click()
    await page.getByRole('link', { name: 'Deals', exact: true }).first().click()
    await page.waitForURL('**/deals')
    await hydrated(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    letGo()
    expect((await sent).status()).toBe(201)
    // once another answer has arrived, the navigation back would have started
    for (let turn = 0; turn < 2; turn++) await page.evaluate(() => fetch('/healthz').then((answer) => answer.text()))
    // the stream of notifications stays open on every page
    expect(asked.filter((address) => /forum|topic/.test(address))).toEqual([])
    expect(new URL(page.url()).pathname).toBe('/deals')
  })

  it('holds a conversation of three people in three windows, live, which one of them moderates on a phone', async () => {
    const [lena, noah, staff] = [await newcomer('lena'), await newcomer('noah'), await moderator('staff')]
    const { page, faults } = await open(lena, '/forum')
    await main(page).getByRole('link', { name: 'New topic', exact: true }).click()
    await main(page).getByLabel('Title').fill('Who has seen my blue umbrella?')
    await main(page).getByLabel('Category').selectOption('lost-found')
    await main(page).getByLabel('Tags').fill('umbrella, blue')
    await main(page).getByLabel('Your post').fill('Lost it **at the station**.')
    // a late answer does not show the earlier text
    const [early, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const waits = [early.promise, late.promise]
    await page.route('**/api/forum/preview', async (route) => {
      await waits.shift()
      await route.continue()
    })
    const earlyAnswer = page.waitForResponse('**/api/forum/preview')
    await main(page).getByRole('button', { name: 'Preview' }).click()
    await main(page).getByRole('button', { name: 'Write', exact: true }).click()
    await main(page).getByLabel('Your post').fill('Lost it **near the ferry**.')
    await main(page).getByRole('button', { name: 'Preview' }).click()
    early.resolve()
    await (await earlyAnswer).finished()
    expect(await main(page).locator('strong').count()).toBe(0)
    late.resolve()
    await main(page).locator('strong', { hasText: 'near the ferry' }).waitFor()
    await main(page).getByRole('button', { name: 'Post topic' }).click()
    await page.waitForURL(/\/topic\//)
    await main(page).getByRole('heading', { name: 'Who has seen my blue umbrella?' }).waitFor()
    const topic = new URL(page.url()).pathname

    const second = await open(noah, topic)
    await post(second.page, 1).getByRole('button', { name: 'Like' }).click()
    await post(second.page, 1).getByRole('button', { name: 'Quote' }).click()
    const reply = main(second.page).getByLabel('Your reply')
    await reply.press('End')
    const quoted = await reply.inputValue()
    await reply.pressSequentially('Hello @l')
    const meant = main(second.page).getByRole('list', { name: 'People you may mean' })
    await expectAccessible(second.page)
    await meant.getByRole('button', { name: /^Lena/i }).click()
    await expect.poll(() => reply.inputValue()).toMatch(/Hello @lena\S* $/)
    await reply.pressSequentially('again')
    await expect.poll(() => reply.inputValue()).toMatch(/Hello @lena\S* again$/)
    await expect.poll(() => meant.count()).toBe(0)
    await reply.fill(quoted)
    await reply.press('Control+End')
    await reply.pressSequentially('Here it is.')
    await main(second.page).getByRole('button', { name: 'Post reply' }).click()
    await post(second.page, 2).getByText('Here it is.').waitFor()
    await post(second.page, 2).getByRole('link', { name: 'In reply to #1' }).waitFor()

    // on her open page posts of others appear by themselves
    await post(page, 2).getByText('Here it is.').waitFor()
    await post(page, 2).getByRole('button', { name: 'More' }).click()
    await post(page, 2).getByRole('button', { name: 'Mark as solution' }).click()
    await post(page, 2).getByText('Solution', { exact: true }).waitFor()

    const third = await open(staff, topic, phone)
    await post(second.page, 2).getByText('Solution', { exact: true }).waitFor()
    const setType = (size: string) =>
      third.page.evaluate((fontSize) => void (document.documentElement.style.fontSize = fontSize), size)
    await post(third.page, 2).getByText('Solution', { exact: true }).waitFor()
    await setType('200%')
    await expectNoSidewaysScroll(third.page)
    await setType('')
    await main(third.page).getByLabel('Your reply').fill('Well done, both of you.')
    await main(third.page).getByRole('button', { name: 'Post reply' }).click()
    for (const window of [page, second.page]) await post(window, 3).getByText('Well done, both of you.').waitFor()
    await main(third.page).getByRole('button', { name: 'Moderate' }).click()
    await main(third.page).getByRole('button', { name: 'Lock', exact: true }).click()
    for (const window of [third.page, second.page, page])
      await main(window).getByText('This topic is locked.').waitFor()
    expect([...faults, ...second.faults, ...third.faults]).toEqual([])
  })

  it('puts the cursor at the end of a quote that was chosen before the reply form had loaded', async () => {
    const { topic } = await newTopic(await newcomer('ada'), { title: 'Who lends me a lantern?' })
    const { page, faults } = await open(await newcomer('ben'), '/contact')
    const comes = await hold(page, /\/assets\/ReplyForm-/)
    await page.goto(`/topic/${topic.topic_id}`)
    await post(page, 1).getByRole('button', { name: 'Quote' }).click()
    const reply = main(page).getByLabel('Your reply')
    await expect.poll(() => reply.count()).toBe(0)
    comes()
    await reply.waitFor()
    await expect.poll(() => reply.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type('I do.')
    await expect.poll(() => reply.inputValue()).toMatch(/^> @ada[^]*\n\nI do\.$/)
    expect(faults).toEqual([])
  })

  it('shows a reply that was written between the rendering of the page and the start of its stream', async () => {
    const { topic } = await newTopic(await newcomer('mia'), { title: 'Which way to the ferry?' })
    const { page, faults } = await at.visit('/contact')
    const listens = await hold(page, /\/api\/stream/)
    await page.goto(`/topic/${topic.topic_id}`)
    await hydrated(page)
    const asked = page.waitForResponse(/\/api\/stream/)
    await newReply(await newcomer('nils'), topic.topic_id, 'Down the stairs.')
    await expect.poll(() => post(page, 2).count()).toBe(0)
    listens()
    await asked
    await post(page, 2).getByText('Down the stairs.').waitFor()
    expect(faults).toEqual([])
  })

  it('is read without JavaScript: list, topic, second page, search and feeds', async () => {
    const { page, faults } = await at.visit('/forum', { javaScriptEnabled: false })
    await main(page).getByRole('link', { name: 'Where is the queue shortest right now?' }).click()
    await expect.poll(() => main(page).getByRole('article').count()).toBeGreaterThanOrEqual(5)
    await main(page).getByText('three minutes upstream').waitFor()
    // the deal of the topic, in its present state
    const about = main(page).getByRole('region', { name: 'What this is about' })
    await about.getByRole('article').getByText('Cold brew for the queue').waitFor()
    await expect
      .poll(() => about.getByRole('article').innerText())
      .toMatch(/Now|Until|min left|In \d+ min|Today|Tomorrow|Daily|Opens|Closed|Over/)
    const data = await page.locator('script[type="application/ld+json"]').textContent()
    const graph = (JSON.parse(data!) as { '@graph': { '@type': string; comment?: unknown[] }[] })['@graph']
    expect(graph.find((thing) => thing['@type'] === 'DiscussionForumPosting')!.comment).toHaveLength(4)
    await page.goto('/forum')
    await main(page).getByRole('link', { name: 'Next' }).click()
    await page.waitForURL(/[?&]after=/)
    await expect.poll(() => main(page).getByRole('listitem').count()).toBeGreaterThan(20)
    await page.goto('/forum/search?q=olives')
    await main(page)
      .getByText('1 post found')
      .or(main(page).getByText(/posts found/))
      .waitFor()
    await page.goto('/forum/new')
    await expect.poll(() => main(page).innerText()).toContain('To write, please turn on JavaScript')
    expect(faults).toEqual([])
  })

  it('shows a cancelled event of a topic as cancelled, and no card for a draft deal', async () => {
    const host = await newcomer('hanna')
    const [event] = (await get(at.app, '/api/events?limit=1')).body as { event_id: string; title: string }[]
    const { topic } = await newTopic(host, {
      title: 'Is it still on tonight?',
      linked: { kind: 'event', id: event!.event_id },
    })
    await sql`update events set state = 'cancelled' where event_id = ${event!.event_id}`.execute(at.app.db)
    const { page, faults } = await at.visit(`/topic/${topic.topic_id}`, { javaScriptEnabled: false })
    const about = main(page).getByRole('region', { name: 'What this is about' })
    await about.getByText(event!.title).waitFor()
    await about.getByText('Cancelled').waitFor()
    const [deal] = (await get(at.app, '/api/deals?limit=1')).body as { deal_id: string; deal_name: string }[]
    await sql`
      update forum_topics set linked_kind = 'deal', linked_id = ${deal!.deal_id} where topic_id = ${topic.topic_id}`.execute(
      at.app.db,
    )
    await sql`update deals set state = 'draft' where deal_id = ${deal!.deal_id}`.execute(at.app.db)
    // pages are cached for a second
    await expect.poll(async () => (await page.reload(), about.count()), { timeout: 90_000 }).toBe(0)
    await expect.poll(() => page.content()).not.toContain(deal!.deal_name)
    expect(faults).toEqual([])
  })

  it('keeps typed text after a failed post and after a reload', async () => {
    const nina = await newcomer('nina')
    const { topic } = await newTopic(nina, { title: 'A topic to answer' })
    const { page } = await open(nina, `/topic/${topic.topic_id}`, desktop, /503|429/)
    const busy = { status: 503, json: { error: 'Please try again in a moment.', code: 'busy' } }
    await page.route('**/posts', (route) =>
      route.request().method() === 'POST' ? route.fulfill(busy) : route.continue(),
    )
    await main(page).getByLabel('Your reply').fill('Words that took a while.')
    await main(page).getByRole('button', { name: 'Post reply' }).click()
    await main(page).getByText('Please try again in a moment.').waitFor()
    await expect.poll(() => main(page).getByLabel('Your reply').inputValue()).toBe('Words that took a while.')
    await page.unroute('**/posts')
    await page.reload()
    await hydrated(page)
    await expect.poll(() => main(page).getByLabel('Your reply').inputValue()).toBe('Words that took a while.')
    await main(page).getByRole('button', { name: 'Post reply' }).click()
    await post(page, 2).getByText('Words that took a while.').waitFor()
    await expect.poll(() => main(page).getByLabel('Your reply').inputValue()).toBe('')
    // on a shared phone the next person does not see the text
    await main(page).getByLabel('Your reply').fill('Meet me at the ferry.')
    const typed = () => page.evaluate(() => JSON.stringify(localStorage).includes('Meet me at the ferry.'))
    await expect.poll(typed).toBe(true)
    await page.goto('/forum/new')
    await hydrated(page)
    await main(page).getByLabel('Title').fill('Where is the ferry?')
    await main(page).getByLabel('Category').selectOption('lost-found')
    await main(page).getByLabel('Language').selectOption('fr')
    await page.reload()
    await hydrated(page)
    await expect.poll(() => main(page).getByLabel('Title').inputValue()).toBe('Where is the ferry?')
    await expect.poll(() => main(page).getByLabel('Category').inputValue()).toBe('lost-found')
    await expect.poll(() => main(page).getByLabel('Language').inputValue()).toBe('fr')
    await page.goto('/logout')
    // opening a link to /logout does not log out
    const logOut = main(page).getByRole('button', { name: 'Log out' })
    await logOut.waitFor()
    await expectAccessible(page)
    expect(await typed()).toBe(true)
    await logOut.click()
    await expect.poll(typed).toBe(false)
  })

  it('shows a reply made without a network as waiting, and posts it exactly once when the network is back', async () => {
    const nina = await newcomer('nora')
    const { topic } = await newTopic(nina, { title: 'Who has a spare rain coat?' })
    const { page, context } = await open(nina, `/topic/${topic.topic_id}`, phone, /net::ERR|Failed to fetch|409|429/)
    const reply = main(page).getByLabel('Your reply')
    const write = async (text: string) => {
      await reply.fill(text)
      await main(page).getByRole('button', { name: 'Post reply' }).click()
      await main(page).getByText('once you are back online').waitFor()
      const waiting = main(page).locator('#reply').getByText(text)
      await waiting.waitFor()
      await expect.poll(() => reply.inputValue()).toBe('')
      // in sight, below the header
      await expect.poll(async () => (await waiting.boundingBox())!.y).toBeGreaterThan(56)
    }
    // the answer is lost: the server has stored the reply
    await loseAnswers(page, '**/posts')
    await write('I have a yellow one.')
    await page.unroute('**/posts')
    await context.setOffline(true)
    await write('And a green one.')
    await expectAccessible(page)
    await context.setOffline(false)
    await post(page, 3).getByText('And a green one.').waitFor()
    await post(page, 2).getByText('I have a yellow one.').waitFor()
    await expect.poll(() => main(page).getByText('once you are back online').count()).toBe(0)
    expect((await get(at.app, `/api/forum/topics/${topic.topic_id}/posts`)).body).toHaveLength(3)

    // the server refuses a waiting reply: a line gives the reason and the text
    await context.setOffline(true)
    await write('And a blue one.')
    const lock = { action: 'lock', reason: 'Enough coats.' }
    const locked = await send(
      'POST',
      `/api/forum/moderation/topics/${topic.topic_id}`,
      await moderator('rain-team'),
      lock,
    )
    expect(locked.status, locked.text).toBe(204)
    await context.setOffline(false)
    const refused = page.getByRole('complementary', { name: 'Not saved as you left it' })
    await refused.getByText(/Your reply in “Who has a spare rain coat\?” was not posted\..*And a blue one\./).waitFor()
    await refused.getByRole('button', { name: 'OK' }).click()
    await expect.poll(() => refused.count()).toBe(0)
  })

  it('offers to reload if a part of the page cannot be loaded, e.g. after an update', async () => {
    const maya = await newcomer('maya')
    const { topic } = await newTopic(maya, { title: 'Is there a night bus?' })
    const { page, context } = await at.visit('/contact', { fresh: true, expected: /404/ })
    await loggedIn(context, maya)
    await page.route('**/assets/ReplyForm-*', (route) => route.fulfill({ status: 404, body: '' }))
    await page.goto(`/topic/${topic.topic_id}`)
    const again = main(page).getByRole('button', { name: 'Reload Page' })
    await again.waitFor()
    await page.unroute('**/assets/ReplyForm-*')
    await again.click()
    await main(page).getByLabel('Your reply').waitFor()
  })

  it('keeps a topic and the post being edited on the screen if the update cannot be loaded', async () => {
    const [lena, noah] = [await newcomer('lea'), await newcomer('nils')]
    const { topic } = await newTopic(lena, { title: 'Where does the ferry leave?' })
    const { page } = await open(lena, `/topic/${topic.topic_id}`, desktop, /503/)
    await post(page, 1).getByRole('button', { name: 'More' }).click()
    await post(page, 1).getByRole('button', { name: 'Edit', exact: true }).click()
    await post(page, 1).locator('textarea').fill('From which side does it leave?')
    const read = `**/api/forum/topics/${topic.topic_id}`
    await page.route(read, (route) => route.fulfill({ status: 503, json: { error: 'Very busy.', code: 'busy' } }))
    const isRefused = page.waitForResponse((response) => response.status() === 503)
    await newReply(noah, topic.topic_id, 'It leaves at eight in the evening.')
    await isRefused
    await page.unroute(read)
    await post(page, 1).getByRole('button', { name: 'Save' }).click()
    await post(page, 1).locator('p', { hasText: 'From which side does it leave?' }).waitFor()
    await post(page, 2).getByText('It leaves at eight in the evening.').waitFor()
  })

  it('keeps the edit of a post that waits for approval if the author’s own posts cannot be loaded again', async () => {
    const [ada, noah] = [await newcomer('ada'), await newcomer('nico')]
    const { topic } = await newTopic(await newcomer('hana'), { title: 'Who knows the old bridge?' })
    await newReply(ada, topic.topic_id, 'See https://bridge.example for it')
    const { page } = await open(ada, `/topic/${topic.topic_id}`, desktop, /503/)
    await post(page, 2).getByRole('button', { name: 'More' }).click()
    await post(page, 2).getByRole('button', { name: 'Edit', exact: true }).click()
    await post(page, 2).locator('textarea').fill('I know all of it, and will tell.')
    const read = `**/api/forum/topics/${topic.topic_id}/mine**`
    await page.route(read, (route) => route.fulfill({ status: 503, json: { error: 'Very busy.', code: 'busy' } }))
    const isRefused = page.waitForResponse((response) => response.status() === 503)
    await newReply(noah, topic.topic_id, 'My grandmother does.')
    await isRefused
    await post(page, 3).getByText('My grandmother does.').waitFor()
    await expect.poll(() => post(page, 2).locator('textarea').inputValue()).toBe('I know all of it, and will tell.')
    await page.unroute(read)
    await post(page, 2).getByRole('button', { name: 'Save' }).click()
    await post(page, 2).locator('p', { hasText: 'I know all of it, and will tell.' }).waitFor()
  })

  it('lets moderators show a topic with replies whose first post was deleted while it waited for approval', async () => {
    const [ida, staff] = [await newcomer('ida'), await moderator('night-team')]
    const { topic, post: first } = await newTopic(ida, { title: 'Which bell rings first?' })
    await newReply(await newcomer('otto'), topic.topic_id, 'That of the minster.')
    await send('PATCH', `/api/forum/posts/${first.post_id}`, ida, { body: 'Best C4S1N0 in town' })
    const { page } = await open(staff, '/admin/moderation', phone)
    await main(page).getByRole('article').filter({ hasText: topic.title }).getByText('C4S1N0').waitFor()
    await send('DELETE', `/api/forum/posts/${first.post_id}`, ida)
    expect((await get(at.app, `/api/forum/topics/${topic.topic_id}`)).status).toBe(404)
    await page.reload()
    const item = main(page).getByRole('article').filter({ hasText: topic.title })
    await item.getByText('The author deleted the first post').waitFor()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await item.getByRole('button', { name: 'Show topic' }).click()
    await item.getByText('Shown', { exact: true }).waitFor()
    const guest = await at.visit(`/topic/${topic.topic_id}`)
    await post(guest.page, 2).getByText('That of the minster.').waitFor()
  })

  it('sends a post once its chosen picture is uploaded', async () => {
    const pia = await newcomer('pia')
    const { topic } = await newTopic(pia, { title: 'The sky tonight' })
    const { page, faults } = await open(pia, `/topic/${topic.topic_id}`)
    const comes = await hold(page, '**/api/forum/images')
    await main(page).getByLabel('Your reply').fill('It is red.')
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    await main(page)
      .getByLabel('Add picture')
      .and(page.locator('input'))
      .setInputFiles({ name: 'sky.png', mimeType: 'image/png', buffer: picture })
    const button = main(page).getByRole('button', { name: 'Post reply' })
    await expect.poll(() => button.isDisabled()).toBe(true)
    comes()
    await button.click()
    await post(page, 2).locator('a > img').waitFor()
    await expect.poll(() => main(page).getByRole('button', { name: 'Remove picture' }).count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('sends a scaled photo as JPEG where the browser writes no WebP, and as PNG if it is transparent', async () => {
    const { page, context, faults } = await open(await newcomer('safa'), '/contact', phone)
    await context.addInitScript(() => {
      type Write = (this: HTMLCanvasElement, ...of: Parameters<HTMLCanvasElement['toBlob']>) => void
      const write = Reflect.get(HTMLCanvasElement.prototype, 'toBlob') as Write
      HTMLCanvasElement.prototype.toBlob = function (done, type, quality) {
        write.call(this, done, type === 'image/webp' ? 'image/png' : type, quality)
      }
      const send = window.fetch
      window.fetch = (input, init) => {
        const file = init?.body instanceof FormData ? init.body.get('image') : null
        if (file instanceof Blob) document.documentElement.dataset['sent'] = file.type
        return send(input, init)
      }
    })
    await page.goto('/forum/new')
    await hydrated(page)
    const size = { width: 2400, height: 1800 }
    const photo = sharp({ create: { ...size, channels: 3, background: '#48c' } })
    const drawing = sharp({ create: { ...size, channels: 4, background: '#f004' } })
    for (const [mimeType, picture, sent] of [
      ['image/png', photo.clone().png(), 'image/jpeg'],
      ['image/webp', photo.clone().webp(), 'image/jpeg'],
      ['image/png', drawing.png(), 'image/png'],
    ] as const) {
      await main(page)
        .getByLabel('Add picture')
        .and(page.locator('input'))
        .setInputFiles({ name: 'sky', mimeType, buffer: await picture.toBuffer() })
      await main(page).getByRole('button', { name: 'Remove picture' }).click()
      expect(await page.locator('html').getAttribute('data-sent')).toBe(sent)
    }
    expect(faults).toEqual([])
  })

  it('shows a post that waits for approval only to its author, until a moderator approves it', async () => {
    const [eva, staff] = [await newcomer('eva'), await moderator('team')]
    const { topic } = await newTopic(await newcomer('host'), { title: 'Where are the lanterns?' })
    const waiting = await newReply(eva, topic.topic_id, 'Here: https://lanterns.example')
    expect(waiting.state).toBe('waiting')
    const { page } = await open(eva, `/topic/${topic.topic_id}`)
    await main(page).getByText('Your post is waiting for approval.').waitFor()
    const guest = await at.visit(`/topic/${topic.topic_id}`)
    await expect.poll(() => main(guest.page).getByRole('article').count()).toBe(1)
    // reports of deals are in the same queue
    const [deal] = (await get(at.app, '/api/deals?limit=1')).body as { deal_id: string; deal_name: string }[]
    await api(at.app, `/api/deals/${deal!.deal_id}/report`, {
      method: 'POST',
      headers: { authorization: `Bearer ${eva.authToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ why: 'wrong', note: 'Closed since Tuesday.' }),
    })
    const queue = await open(staff, '/admin/moderation', phone)
    const reported = main(queue.page).getByRole('listitem').filter({ hasText: 'Closed since Tuesday.' }).first()
    await reported.getByRole('button', { name: 'Leave as it is' }).waitFor()
    const item = main(queue.page).getByRole('article').filter({ hasText: 'lanterns.example' })
    const desk = (await main(queue.page)
      .getByRole('link', { name: /^Moderation \(\d+\)$/ })
      .textContent())!
    const { height } = (await item.boundingBox())!
    await item.getByRole('button', { name: 'Approve', exact: true }).click()
    // the decided post stays in its place until the list is loaded again, so that a second tap decides nothing
    await item.getByText('Approved').waitFor()
    await expect.poll(() => item.getByRole('button').count()).toBe(0)
    expect((await item.boundingBox())!.height).toBe(height)
    const left = Number(/\d+/.exec(desk)) - 1
    await main(queue.page)
      .getByRole('link', { name: left ? `Moderation (${left})` : 'Moderation', exact: true })
      .waitFor()
    await guest.page.reload()
    await expect.poll(() => main(guest.page).getByRole('article').count()).toBe(2)
    await expectAccessible(queue.page)
    await main(queue.page).getByRole('button', { name: 'Reload the list' }).click()
    await item.waitFor({ state: 'detached' })
    await reported.getByRole('button', { name: 'Leave as it is' }).waitFor()
  })

  it('reports of a post show their reason, and a double click decides only about that post, once', async () => {
    const [host, staff] = [await newcomer('double-host'), await moderator('double')]
    const { topic } = await newTopic(host, { title: 'Two flagged replies' })
    const flagged = [
      await newReply(await newcomer('double-one'), topic.topic_id, 'The first flagged reply.'),
      await newReply(await newcomer('double-two'), topic.topic_id, 'The second flagged reply.'),
    ]
    for (const { post_id } of flagged)
      await send('POST', `/api/forum/posts/${post_id}/flag`, host, { kind: 'off_topic' })
    const { page } = await open(staff, '/admin/moderation', phone, /ERR_FAILED/)
    const item = (text: string) => main(page).getByRole('article').filter({ hasText: text })
    const [first, second] = [item('The first flagged reply.'), item('The second flagged reply.')]
    await first.getByText('Off topic').waitFor()
    const dismiss = first.getByRole('button', { name: 'Dismiss reports' })
    await page.route('**/api/forum/moderation/posts/*', (route) => route.abort())
    await dismiss.click()
    await page.getByText('You are offline. Please try again once you are back online.').waitFor()
    await page.unroute('**/api/forum/moderation/posts/*')
    const sent: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/moderation/posts/'))
        sent.push(request.headers()['idempotency-key'])
    })
    await dismiss.dblclick()
    await first.getByText('Reports dismissed').waitFor()
    // there is no button in that place now, and the next post still waits
    await expect.poll(() => first.getByRole('button').count()).toBe(0)
    await second.getByRole('button', { name: 'Dismiss reports' }).waitFor()
    expect(sent).toEqual([expect.stringMatching(/^\w{32}$/)])

    // a long queue has further pages
    const more: string[] = []
    for (let n = 1; n <= 22; n++) more.push((await newReply(staff, topic.topic_id, `A long night, ${n}.`)).post_id)
    const flags = (open_flags: number) =>
      at.app.db.updateTable('forum_posts').set({ open_flags }).where('post_id', 'in', more).execute()
    await flags(1)
    await page.reload()
    await item('A long night, 1.').waitFor()
    await expect.poll(() => item('A long night, 22.').count()).toBe(0)
    await main(page).getByRole('button', { name: 'Show more' }).click()
    await item('A long night, 22.').waitFor()
    await flags(0)

    // the retry of a silence whose answer was lost does not silence twice
    await page.goto('/forum/members/double-one')
    await hydrated(page)
    await main(page).getByRole('button', { name: 'Silence for 24 hours' }).click()
    await page.getByLabel('Reason').fill('The third flag')
    await loseAnswers(page, '**/api/forum/moderation/members/*')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('You are offline. What you typed is still here').waitFor()
    await page.unroute('**/api/forum/moderation/members/*')
    await page.getByRole('button', { name: 'Send' }).click()
    await main(page).getByText('Done', { exact: true }).waitFor()
    const log = (await send('GET', '/api/admin/log?action=moderate-member', staff)).body as { reason: string }[]
    expect(log.filter(({ reason }) => reason === 'The third flag')).toHaveLength(1)
  })

  it('shows moderators the text of a hidden post beside its appeal, and they restore it in the staff log', async () => {
    const [host, staff] = [await newcomer('hidden-host'), await moderator('hidden')]
    const { topic } = await newTopic(host, { title: 'One hidden reply' })
    const { post_id } = await newReply(host, topic.topic_id, 'A reply that was hidden.')
    const hide = { action: 'hide', reason: 'By mistake' }
    await send('POST', `/api/forum/moderation/posts/${post_id}`, staff, hide)
    await send('POST', '/api/forum/appeals', host, { post_id, text: 'It is friendly.' })
    const { page } = await open(staff, '/admin/moderation', phone)
    await main(page).getByText('Appeals', { exact: true }).click()
    await main(page).getByText('A reply that was hidden.').waitFor()
    // of the two links to the log, the one in the tabs of this page
    await main(page).getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Log', exact: true }).click()
    await page.waitForURL('**/admin/log')
    await main(page)
      .getByRole('button', { name: /^Undo: Post moderated, “One hidden reply/ })
      .first()
      .click()
    await main(page)
      .getByText(/^Undone: One hidden reply/)
      .waitFor()
    expect((await api(at.app, `/api/forum/posts/${post_id}`)).status).toBe(200)
  })

  it('shows a new topic that waits for approval to its author, and opens the menu of a post within the screen', async () => {
    const zoe = await newcomer('zoe')
    const { page, faults } = await open(zoe, '/forum/new', phone, /404/)
    await main(page).getByLabel('Title').fill('Is this the right plan?')
    await main(page).getByLabel('Your post').fill('See https://lanterns.example/plan')
    await main(page).getByRole('button', { name: 'Post topic' }).click()
    await page.waitForURL(/\/topic\//)
    await main(page).getByRole('heading', { name: 'Is this the right plan?' }).waitFor()
    await main(page).getByText('Your post is waiting for approval.').waitFor()
    await page.reload()
    await main(page).getByRole('heading', { name: 'Is this the right plan?' }).waitFor()
    await main(page).getByText('Your post is waiting for approval.').waitFor()
    // no list contains it: the forum links its author to it
    await page.goto('/forum')
    await main(page).getByText('Your post is waiting for approval', { exact: true }).waitFor()
    await expectAccessible(page)
    await main(page).getByRole('link', { name: 'Is this the right plan?' }).click()
    await main(page).getByRole('heading', { name: 'Is this the right plan?' }).waitFor()
    // after a refusal its author still reads the reason
    const own = `/api/forum/topics/${new URL(page.url()).pathname.split('/').at(-1)}`
    const [said] = (await get(at.app, `${own}/posts`, zoe.authToken)).body as { post_id: string }[]
    const reject = { action: 'reject', reason: 'Advertising' }
    await send('POST', `/api/forum/moderation/posts/${said!.post_id}`, await moderator('day-team'), reject)
    await page.reload()
    await main(page).getByText('Your post was not approved.').waitFor()
    await main(page).getByText('Advertising').waitFor()
    await page.goto('/forum')
    await main(page).getByText('One of your posts is hidden from others', { exact: true }).waitFor()
    const { topic } = await newTopic(await newcomer('amy'), { title: 'Where does the menu open?' })
    await page.goto(`/topic/${topic.topic_id}`)
    const more = post(page, 1).getByRole('button', { name: 'More', exact: true })
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await more.click()
      const { x, width: wide } = (await post(page, 1).getByRole('button', { name: 'Report' }).boundingBox())!
      expect(x, String(width)).toBeGreaterThanOrEqual(0)
      expect(x + wide, String(width)).toBeLessThanOrEqual(width)
      await page.keyboard.press('Escape')
    }
    await more.click()
    await post(page, 1).getByRole('button', { name: 'Report' }).click()
    const dialog = page.getByRole('dialog', { name: 'Report this post' })
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await dialog.getByText('Choose what is wrong.').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('What is wrong with it?').selectOption('Off topic')
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await page.getByText('Thank you. The moderators will look at it.').waitFor()
    expect(faults).toEqual([])
  })

  it('keeps the keyboard focus at a post after its dialog, an edit or a deletion', async () => {
    const { topic } = await newTopic(await newcomer('yara'), { title: 'Where is the choir?' })
    const { page } = await open(await newcomer('zoe'), `/topic/${topic.topic_id}`, phone)
    await main(page).getByLabel('Your reply').fill('Row three, near the sound desk.')
    await main(page).getByRole('button', { name: 'Post reply' }).press('Enter')
    await post(page, 2).waitFor()
    const focused = (number: number, name: string, role: 'button' | 'link' = 'button') =>
      expect
        .poll(() =>
          post(page, number)
            .getByRole(role, { name })
            .evaluate((element) => element === document.activeElement),
        )
        .toBe(true)
    const choose = async (number: number, name: string) => {
      await post(page, number).getByRole('button', { name: 'More' }).press('Enter')
      await post(page, number).getByRole('button', { name, exact: true }).press('Enter')
    }
    await choose(1, 'Report')
    await page.getByRole('dialog', { name: 'Report this post' }).waitFor()
    await page.keyboard.press('Escape')
    await focused(1, 'More')
    await choose(2, 'Edit')
    await post(page, 2).getByLabel('Your post').fill('Row four, near the sound desk.')
    await post(page, 2).getByRole('button', { name: 'Save' }).press('Enter')
    await post(page, 2).getByText('Row four').waitFor()
    await focused(2, 'More')
    await choose(2, 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await post(page, 2).getByText('Deleted by author').waitFor()
    await focused(2, 'Link to post 2', 'link')
  })

  it('says that nobody was blocked if there is no network', async () => {
    const { page } = await open(await newcomer('blocker'), '/forum/members/lena', phone, /ERR_FAILED/)
    await page.route('**/api/forum/members/*/block', (route) => route.abort())
    const block = main(page).getByRole('button', { name: /^(Block|Unblock)$/ })
    const isFocused = () => block.evaluate((button) => button === document.activeElement)
    await block.press('Enter')
    await main(page).getByText('You are offline. Please try again').waitFor()
    await expect.poll(isFocused).toBe(true)
    // the focus stays at the button, which now unblocks
    await page.unroute('**/api/forum/members/*/block')
    await block.press('Enter')
    await expect.poll(() => block.textContent()).toBe('Unblock')
    await expect.poll(isFocused).toBe(true)
  })

  it('leads staff without a second factor to its set-up', async () => {
    const staff = await moderator('new-staff')
    await at.app.db.updateTable('accounts').set({ totp_secret: null }).where('email', '=', staff.email).execute()
    for (const path of ['/admin/moderation', '/admin/reports']) {
      const { page } = await open(staff, path, phone, /403/)
      await main(page).getByRole('link', { name: 'Set up two-factor authentication' }).click()
      await page.waitForURL(/\/settings#second-factor$/)
    }
  })

  it.each(sizes)('is accessible and fits a %s', async (_, size) => {
    const { page, faults } = await at.visit('/forum', { viewport: size })
    const topic = await main(page)
      .getByRole('link', { name: 'Where is the queue shortest right now?' })
      .getAttribute('href')
    for (const path of ['/forum', '/forum/help', topic!, '/forum/search?q=soup', '/forum/members/lena']) {
      await page.goto(path)
      await hydrated(page)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    expect(faults).toEqual([])
  })
})
