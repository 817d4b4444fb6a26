import sharp from 'sharp'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { Fields } from '../src/kit/shared/thing.ts'
import { api, type TestApp } from './start-app.ts'

/** Names of the fields that can be sent. */
export type Writable<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { input: unknown } ? Name : never
}[keyof F] &
  string

type Values = Record<string, unknown>

type Pair = readonly [first: unknown, second: unknown]
/** Of true and false: their samples are known. */
type Flags<F extends Fields> = {
  [Name in Writable<F>]: F[Name] extends { input: z.ZodType<boolean> } ? Name : never
}[Writable<F>]

/** Two different values of each field that can be sent, as answers give them back. */
export type Samples<F extends Fields> = Record<Exclude<Writable<F>, Flags<F>>, Pair> & Partial<Record<Flags<F>, Pair>>

/** The samples, also of fields that are true or false. */
export function samplesOf<F extends Fields>(fields: F, given: Samples<F>): Record<Writable<F>, Pair> {
  const flags = Object.entries(fields).filter(([, { input }]) => input?.safeParse(true).success)
  return { ...Object.fromEntries(flags.map(([name]) => [name, [true, false]])), ...given } as object as Record<
    Writable<F>,
    Pair
  >
}

/** The calls of the API for one kind of thing; each of them expects its status. Where a field is sent in another form than answers have, they convert it. */
export interface Calls {
  /** Makes a thing; returns what the other calls find it by. */
  create: (values: Values) => Promise<string>
  change: (id: string, values: Values) => Promise<unknown>
  read: (id: string) => Promise<Values>
}

export interface Rules<Name extends string> {
  /** Cannot be absent, so that they are a part of everything that is sent. */
  needed?: readonly Name[]
  /** Can be sent when the thing is made, and never after it. */
  onlyAtFirst?: readonly Name[]
  /** Can be sent only when the thing is there. */
  onlyLater?: readonly Name[]
  /** What empties a field that does not take null. */
  emptiedBy?: Partial<Record<Name, unknown>>
  /** A change says all of the thing: a field that it leaves out is emptied. */
  replaces?: boolean
}

/**
 * Makes a thing with every field that can be sent, changes all of them, saves without speaking of them, empties them, and reads them
 * back after each step. Fails for a field without a sample.
 */
export async function checkEveryField<F extends Fields>(
  fields: F,
  given: Samples<F>,
  { create, change, read }: Calls,
  { needed = [], onlyAtFirst = [], onlyLater = [], emptiedBy = {}, replaces = false }: Rules<Writable<F>> = {},
): Promise<void> {
  const samples = samplesOf(fields, given)
  const names = Object.keys(fields).filter((name) => fields[name]!.input) as Writable<F>[]
  expect(Object.keys(samples).toSorted(), 'fields with a sample').toEqual(names.toSorted())
  const valuesOf = (which: readonly string[], value: (name: Writable<F>) => unknown): Values =>
    Object.fromEntries(names.filter((name) => which.includes(name)).map((name) => [name, value(name)]))
  const without = (left: readonly string[]) => names.filter((name) => !left.includes(name))
  const first = (name: Writable<F>) => samples[name][0]
  const second = (name: Writable<F>) => samples[name][1]

  const id = await create(valuesOf(without(onlyLater), first))
  expect(await read(id), 'made').toMatchObject(valuesOf(without(onlyLater), first))

  // all at once, as some of them are judged together
  const changeable = without(onlyAtFirst)
  await change(id, valuesOf(changeable, second))
  const fixed = valuesOf(onlyAtFirst, first)
  expect(await read(id), 'changed').toMatchObject({ ...fixed, ...valuesOf(changeable, second) })

  const always = needed.filter((name) => changeable.includes(name))
  if (!replaces) {
    await change(id, valuesOf(always, first))
    const same = valuesOf(changeable, second)
    expect(await read(id), 'not sent').toMatchObject({ ...fixed, ...same, ...valuesOf(always, first) })
  }

  const emptied = changeable.filter((name) => !needed.includes(name) && fields[name]!.nullable !== false)
  const sent = valuesOf(emptied, (name) => (name in emptiedBy ? emptiedBy[name] : null))
  await change(id, { ...valuesOf(always, second), ...sent })
  const empty = valuesOf(emptied, (name) => fields[name]!.empty ?? null)
  expect(await read(id), 'emptied').toMatchObject({ ...fixed, ...valuesOf(changeable, second), ...empty })
}

/** Addresses of two different pictures, uploaded at `path`. `field`: of the form. */
export async function twoPictures(
  app: TestApp,
  path: string,
  token: string,
  field = 'file',
): Promise<[string, string]> {
  const upload = async (background: string): Promise<string> => {
    const picture = sharp({ create: { width: 80, height: 50, channels: 3, background } }).png()
    const form = new FormData()
    form.set(field, new Blob([new Uint8Array(await picture.toBuffer())], { type: 'image/png' }), 'picture.png')
    const headers = { authorization: `Bearer ${token}` }
    const { status, text, body } = await api(app, path, { method: 'POST', body: form, headers })
    expect(status, text).toBe(201)
    return body.url ?? body.image_url
  }
  return [await upload('red'), await upload('blue')]
}
