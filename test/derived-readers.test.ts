import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { ReadableCall } from '../src/kit/browser/answer-reader.ts'
import { endpointCall } from '../src/kit/browser/endpoint-call.ts'
import { isObject, type Read } from '../src/kit/browser/reading.ts'
import type { AnyEndpoint } from '../src/kit/shared/endpoint.ts'
import { accepted } from './derived-readers.ts'

type Call = ReadableCall<Read<unknown>>
interface Definition {
  type: string
  format?: string
  innerType: z.ZodType
  element: z.ZodType
  shape: Record<string, z.ZodType>
  options: z.ZodType[]
  entries: Record<string, string>
}

const absent = Symbol('absent')
const odd: unknown[] = [
  absent,
  null,
  '',
  ' ',
  'x',
  '12',
  '2026-06-05',
  '2026-06-05T20:00:00Z',
  '18:30',
  '/uploads/x.webp',
  '//x.example',
  'near',
  'true',
  0,
  1,
  -5,
  95,
  1e9,
  Number.NaN,
  true,
  false,
  [],
  {},
  [null],
  ['', null, 0, {}, [], 'a', 5],
  { a: 1 },
]

test('Readers derived from contracts read odd answers like those written by hand', async () => {
  const endpoints = await exported(['src/*/contract.ts', 'src/*/contract/*.ts'], isEndpoint)
  const byOperation = new Map(endpoints.map((each) => [`${each.method} ${each.path}`, each]))
  const calls = await exported(['src/**/web/**/*calls.ts'], isCall)
  const found = new Map<string, string>()
  for (const call of calls) {
    const endpoint = byOperation.get(call.operation)!
    for (const [path, old, derived] of differences(call, endpoint)) {
      const key = `${call.operation} ${path}`
      const difference = ` | ${old} → ${derived}`
      if (!accepted.some(([pattern]) => pattern.test(key)) && !found.get(key)?.includes(difference))
        found.set(key, (found.get(key) ?? key) + difference)
    }
  }
  expect([...found.values()].join('\n')).toBe('')
})

function differences(call: Call, endpoint: AnyEndpoint): [string, string, string][] {
  if (!endpoint.answer) return []
  const { read } = endpointCall(endpoint)
  const whole = sample(endpoint.answer)
  return [...variants(endpoint.answer, whole, '')].flatMap(([path, value]) => {
    const old = call.read(value)
    const derived = only(read(value), old)
    const [a, b] = [JSON.stringify(old) ?? 'unreadable', JSON.stringify(derived) ?? 'unreadable']
    return a === b ? [] : [[path, ...brief(old, derived)] as [string, string, string]]
  })
}

/** The first value that differs, alone. */
function brief(old: unknown, derived: unknown): [string, string] {
  if (Array.isArray(old) && Array.isArray(derived)) {
    if (old.length !== derived.length) return [`${old.length} items`, `${derived.length} items`]
    const at = old.findIndex((each, index) => JSON.stringify(each) !== JSON.stringify(derived[index]))
    return brief(old[at], derived[at])
  }
  if (isObject(old) && isObject(derived)) {
    const differing = Object.keys(old).find((name) => JSON.stringify(old[name]) !== JSON.stringify(derived[name]))
    if (differing) return brief(old[differing], derived[differing])
  }
  return [said(old), said(derived)]
}
const said = (value: unknown) => JSON.stringify(value)?.slice(0, 60) ?? 'unreadable'

/** Fields that only the derived reader knows do not count. */
function only(derived: unknown, old: unknown): unknown {
  if (Array.isArray(derived) && Array.isArray(old)) return derived.map((each, index) => only(each, old[index]))
  if (!isObject(derived) || !isObject(old)) return derived
  return Object.fromEntries(
    Object.keys(old).flatMap((name) => (name in derived ? [[name, only(derived[name], old[name])]] : [])),
  )
}

/** The answer with each odd value in place of each of its parts. */
function* variants(shape: z.ZodType, value: unknown, path: string): Generator<[string, unknown]> {
  for (const each of odd) if (each !== absent) yield [path || '(whole)', each]
  yield* within(shape, value, path)
}
function* within(shape: z.ZodType, value: unknown, path: string): Generator<[string, unknown]> {
  const definition = shape.def as unknown as Definition
  if (definition.innerType) yield* within(definition.innerType, value, path)
  else if (definition.type === 'array') {
    const [item] = value as unknown[]
    for (const [at, each] of variants(definition.element, item, `${path}[]`)) {
      yield [at, [each]]
      yield [at, [item, each]]
    }
  } else if (definition.type === 'object') {
    const { ...fields } = value as Record<string, unknown>
    for (const [name, field] of Object.entries(definition.shape)) {
      const { [name]: _left, ...rest } = fields
      yield [`${path}.${name}`, rest]
      for (const [at, each] of variants(field, fields[name], `${path}.${name}`)) yield [at, { ...fields, [name]: each }]
    }
  } else if (definition.type === 'union')
    for (const option of definition.options) yield* variants(option, sample(option), path)
}

function sample(shape: z.ZodType): unknown {
  const definition = shape.def as unknown as Definition
  const meta = shape.meta() ?? {}
  if (definition.innerType) return sample(definition.innerType)
  if (meta['pieces']) return [{ e: 'p', c: ['a'] }]
  if (meta['format'] === 'uuid') return '01890000-0000-7000-8000-000000000000'
  switch (definition.type) {
    case 'string':
      if (definition.format === 'datetime') return '2026-06-05T18:00:00Z'
      return definition.format === 'date' ? '2026-06-05' : meta['maxLength'] === 5 ? '18:00' : '/abc'
    case 'number':
      return 7
    case 'boolean':
      return true
    case 'enum':
      return Object.values(definition.entries).at(-1)
    case 'array':
      return [sample(definition.element)]
    case 'object':
      return Object.fromEntries(Object.entries(definition.shape).map(([name, field]) => [name, sample(field)]))
    case 'union':
      return sample(definition.options[0]!)
    default:
      return { a: 1 }
  }
}

async function exported<Kind>(globs: string[], is: (value: unknown) => value is Kind): Promise<Kind[]> {
  const root = new URL('..', import.meta.url).pathname
  const modules = await Promise.all(
    globSync(globs, { cwd: root }).map((file) => import(pathToFileURL(root + file).href) as Promise<object>),
  )
  return [...new Set(modules.flatMap((module) => Object.values(module).filter(is)))]
}
const isEndpoint = (value: unknown): value is AnyEndpoint =>
  isObject(value) && 'method' in value && 'path' in value && 'access' in value
const isCall = (value: unknown): value is Call => isObject(value) && 'operation' in value && 'read' in value
