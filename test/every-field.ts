import sharp from 'sharp'
import { expect } from 'vitest'
import type { Field, Fields } from '../src/kit/shared/thing.ts'
import { api, type TestApp } from './start-app.ts'

/** Two values of each field that can be sent, as `read` gives them back. A field without a sample fails types. */
export type Samples<F extends Fields> = Record<
  { [Name in keyof F]: F[Name] extends { input: unknown } ? Name : never }[keyof F] & string,
  readonly [first: unknown, second: unknown]
>

type Body = Record<string, unknown>
interface Calls {
  /** Makes the thing, or fills one that is there. */
  make: (body: Body) => Promise<unknown>
  change: (body: Body) => Promise<{ status: number; text: string }>
  read: () => Promise<unknown>
}

/**
 * No field that can be sent is lost on its way to the database and back: made, read, changed, left out of a change, emptied.
 * One that cannot be emptied refuses null and stays.
 */
export async function expectEveryField<F extends Fields>(
  fields: F,
  samples: Samples<F>,
  { make, change, read }: Calls,
) {
  const writable = Object.entries<Field>(fields).filter(([, { input }]) => input)
  expect(Object.keys(samples).toSorted()).toEqual(writable.map(([name]) => name).toSorted())
  const valuesOf = (which: 0 | 1) =>
    Object.fromEntries(Object.entries<readonly unknown[]>(samples).map(([name, pair]) => [name, pair[which]]))
  const changed = async (body: Body) => {
    const { status, text } = await change(body)
    expect(status, text).toBe(200)
  }
  const [first, second] = [valuesOf(0), valuesOf(1)]
  await make(first)
  expect(await read()).toMatchObject(first)

  // fields that are checked against each other are sent together
  await changed(second)
  expect(await read()).toMatchObject(second)

  const needed = writable.filter(([, { nullable }]) => nullable === false).map(([name]) => name)
  const one = needed[0]!
  await changed({ [one]: first[one] })
  expect(await read()).toMatchObject({ ...second, [one]: first[one] })
  for (const name of needed) expect((await change({ [name]: null })).status, name).toBe(400)

  const empty = Object.fromEntries(
    writable.flatMap(([name, { nullable, empty = null }]) => (nullable === false ? [] : [[name, empty]])),
  )
  await changed(Object.fromEntries(Object.keys(empty).map((name) => [name, null])))
  expect(await read()).toMatchObject({ ...second, [one]: first[one], ...empty })
}

/** Own paths of two uploaded pictures. */
export async function twoPictures(app: TestApp, token: string, path: string): Promise<[string, string]> {
  const upload = async (background: string): Promise<string> => {
    const picture = sharp({ create: { width: 80, height: 50, channels: 3, background } }).png()
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(await picture.toBuffer())], { type: 'image/png' }), 'picture.png')
    const headers = { authorization: `Bearer ${token}` }
    return (await api(app, path, { method: 'POST', body: form, headers })).body.url
  }
  return [await upload('red'), await upload('blue')]
}
