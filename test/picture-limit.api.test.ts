import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pictureMostPixels } from '../src/kit/shared/pictures.ts'
import { forumPeople } from './forum-people.ts'
import { aMerchant, signUpBusiness } from './people.ts'
import { aModerator } from './staff.ts'
import { api, startTestApp, type TestApp } from './start-app.ts'

let app: TestApp
const { established } = forumPeople(() => app)
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** A picture of one colour, which has few bytes. */
const picture = (megapixels: number) =>
  sharp({ create: { width: 5000, height: megapixels * 200, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()

const send = (path: string, token: string, field: string, bytes: Buffer) => {
  const form = new FormData()
  form.set(field, new Blob([new Uint8Array(bytes)]), 'picture.png')
  return api(app, path, { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } })
}
/** Uploads by purpose of the picture. The first three, of a merchant, are one upload. */
const uploads: Record<string, (bytes: Buffer) => ReturnType<typeof api>> = {
  'a logo': (bytes) =>
    signUpBusiness(app, { email: `logo${bytes.length}@example.org`, logo: new Blob([new Uint8Array(bytes)]) }),
  'a deal, a photo or a new logo of a merchant': async (bytes) =>
    send('/api/uploads', (await aMerchant(app, `photo${bytes.length}@example.org`)).authToken, 'file', bytes),
  'a post of the forum': async (bytes) =>
    send('/api/forum/images', (await established(`poster${bytes.length}`)).authToken, 'image', bytes),
  'an event': async (bytes) =>
    send('/api/admin/events/pictures', await aModerator(app, `events${bytes.length}@example.org`), 'file', bytes),
}

it.each(Object.keys(uploads))(
  'a picture for %s has 25 megapixels at most, and the same sentence beyond',
  async (what) => {
    expect(pictureMostPixels).toBe(25_000_000)
    expect((await uploads[what]!(await picture(25))).status).toBe(201)
    const { status, body } = await uploads[what]!(await picture(26))
    expect({ status, error: body.error }).toEqual({
      status: 422,
      error: 'This picture is too large: at most 25 megapixels.',
    })
  },
)
