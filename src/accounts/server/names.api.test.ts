import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forumPeople } from '../../../test/forum-people.ts'
import { aMerchant, aVisitor, get, post, signUpBusiness, visitorForm } from '../../../test/people.ts'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { withoutInvisible } from '../../kit/shared/input.ts'
import { skeletonOf } from '../../kit/shared/name-skeleton.ts'

let app: TestApp
const { moderator, newTopic, send } = forumPeople(() => app)
beforeAll(async () => {
  app = await startTestApp()
  const ada = await moderator('ada')
  await rename(ada.email, 'Ada')
})
// Refused signups count in limits.
beforeEach(() => app.db.deleteFrom('rate_limits').execute())
afterAll(() => app.close())

const reserved = 'This name is reserved for the festival and its staff. Please choose another one.'
const invisible = 'This name contains a character that cannot be seen. Please type it again.'

/** Changes a name in the database, as from before names were reserved. */
const rename = (email: string, display_name: string) =>
  app.db.updateTable('accounts').set({ display_name }).where('email', '=', email).execute()
const patchMe = (token: string, body: object) =>
  api(app, '/api/me', {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const putBusiness = (id: string, token: string, body: object) =>
  api(app, `/api/business/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const forged = [
  ...'Ada|Аda|AᎠA|A.D.A|Moderator|Mоderаtor|M0derator|Admin|Staff|Team|Veranstalter'.split('|'),
  ...'Organisateur|Rheinklang|Rheinklang Team|Rheinklаng-Support'.split('|'),
]
const hidden = [
  'Le\u200bna',
  'Lena\u00ad',
  'Le\u200dna',
  'Lena\u202c',
  'Le\u2060na',
  'Lena\ufe0f',
  '\u3164Lena',
  'Le\u034fna',
]

describe('a name', () => {
  it.each([...forged.map((name) => [name, reserved]), ...hidden.map((name) => [name, expect.any(String)])])(
    'of %j is refused to a visitor who signs up',
    async (name, text) => {
      const answer = await post(app, '/api/auth/signup', visitorForm('forger@example.org', { display_name: name }))
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input', fields: { display_name: text } } })
    },
  )

  it.each([...forged.map((name) => [name, reserved]), ...hidden.map((name) => [name, expect.any(String)])])(
    'of %j is refused to a business that signs up',
    async (name, text) => {
      const answer = await signUpBusiness(app, { email: 'forger@example.org', business_name: name })
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input', fields: { business_name: text } } })
    },
  )

  it('that is reserved cannot be chosen in the settings, in all three languages', async () => {
    const lena = await aVisitor(app, 'lena@example.org')
    const cafe = await aMerchant(app, 'cafe@example.org')
    for (const name of forged) {
      const answer = { status: 400, body: { fields: { display_name: reserved } } }
      expect(await patchMe(lena.authToken, { display_name: name })).toMatchObject(answer)
      expect(await patchMe(cafe.authToken, { display_name: name })).toMatchObject(answer)
      expect(await putBusiness(cafe.businessId, cafe.authToken, { business_name: name })).toMatchObject({
        status: 400,
        body: { fields: { business_name: reserved } },
      })
    }
    for (const [locale, text] of [
      ['de', /vorbehalten/],
      ['fr', /réservé/],
    ] as const) {
      const answer = await post(app, '/api/auth/signup', visitorForm('forger@example.org', { display_name: 'Ada' }), {
        headers: { 'accept-language': locale },
      })
      expect(answer.body.fields.display_name).toMatch(text)
    }
    const answer = await patchMe(lena.authToken, { display_name: 'Le\u200bna' })
    expect(answer).toMatchObject({ status: 400, body: { fields: { display_name: invisible } } })
  })

  it('from before it was reserved can stay until it is changed', async () => {
    const nora = await aVisitor(app, 'nora@example.org')
    await rename(nora.email, 'Moderator')
    const kept = await patchMe(nora.authToken, { display_name: 'Moderator', language: 'de' })
    expect(kept).toMatchObject({ status: 200, body: { display_name: 'Moderator', language: 'de' } })
    expect((await patchMe(nora.authToken, { display_name: 'Moderator N.' })).status).toBe(400)
    // The name does not become the handle either.
    const { topic, post: first } = await newTopic(nora)
    expect(first.author.handle).toMatch(/^member/)
    const shown = (await get(app, `/api/forum/topics/${topic.topic_id}/posts`)).body[0].author
    expect(shown).toMatchObject({ name: 'Moderator', role: 'user' })

    const bar = await aMerchant(app, 'bar@example.org', { business_name: 'Bar Nord' })
    const own = app.db.updateTable('businesses').set({ business_name: 'Staff Bar' })
    await own.where('business_id', '=', bar.businessId).execute()
    const put = (body: object) => putBusiness(bar.businessId, bar.authToken, body)
    expect((await put({ business_name: 'Staff Bar', description: 'By the river.' })).status).toBe(200)
    expect((await put({ business_name: 'Staff Bar West' })).status).toBe(400)
    expect((await put({ business_name: 'Bar West' })).status).toBe(200)
  })

  it('can be that of another visitor or business', async () => {
    for (const n of [1, 2]) {
      const anna = visitorForm(`anna${n}@example.org`, { display_name: 'Anna' })
      expect((await post(app, '/api/auth/signup', anna)).status).toBe(201)
      expect((await signUpBusiness(app, { email: `m${n}@example.org`, business_name: 'Migros' })).status).toBe(201)
    }
  })

  it('of staff is free again once they are no staff', async () => {
    const former = await moderator('beatrix')
    const form = (n: number) => visitorForm(`beatrix${n}@example.org`, { display_name: 'Beatrix' })
    expect((await post(app, '/api/auth/signup', form(1))).status).toBe(400)
    const roles = app.db.updateTable('accounts').set({ role: 'user' }).where('email', '=', former.email)
    await roles.execute()
    expect((await post(app, '/api/auth/signup', form(2))).status).toBe(201)
  })

  it('of staff may name their role', async () => {
    const mo = await moderator('mo')
    expect((await patchMe(mo.authToken, { display_name: 'Rheinklang Team' })).status).toBe(200)
  })

  it('keeps its emoji whole', () => {
    for (const name of ['Lena ❤️', '👩‍🎤 Nina', '🏴󠁧󠁢󠁷󠁬󠁳󠁿 Gwen', '1️⃣ Bar', 'Ali محمد'])
      expect(withoutInvisible(name)).toBe(name)
    expect(withoutInvisible('❤️ Le\u200dna')).toBe('❤️ Lena')
  })
})

describe('a handle', () => {
  it('does not look like another one', async () => {
    const handles: string[] = []
    for (const [n, name] of ['Willi Bernd', 'VVilli Bemd', 'Wllll-Bernd'].entries()) {
      const person = await aVisitor(app, `willi${n}@example.org`)
      await rename(person.email, name)
      const { post: first } = await newTopic(person)
      handles.push(first.author.handle)
    }
    expect(handles[0]).toBe('willi-bernd')
    expect(new Set(handles.map(skeletonOf)).size).toBe(3)
    expect((await send('GET', '/api/forum/members/willi-bernd', null)).body.name).toBe('Willi Bernd')
  })

  it('is compared in the database as names are', async () => {
    for (const handle of ['lena-muster', 'member-0123456789', 'bernd-vvilli', 'a1l-i', 'rn-vv', 'r-n-v-v', 'barn-l']) {
      const { rows } = await sql<{ skeleton: string }>`select handle_skeleton(${handle}) as skeleton`.execute(app.db)
      expect(rows[0]!.skeleton).toBe(skeletonOf(handle))
    }
  })
})
