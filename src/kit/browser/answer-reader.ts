import type { z } from 'zod'
import type { AnyEndpoint } from '../shared/endpoint.ts'

/** The parts that readers are made of: functions (`reading.ts`), or at build time their source text. */
export interface Readers<Reader> {
  anything: Reader
  unchanged: Reader
  anyObject: Reader
  pieces: Reader
  text: Reader
  needed: Reader
  number: Reader
  flag: Reader
  instant: Reader
  textOr(unread: string): Reader
  numberOr(unread: number): Reader
  flagOr(unread: boolean): Reader
  within(least: number, most: number): Reader
  like(form: RegExp): Reader
  oneOf(values: readonly string[], unread: string | null): Reader
  list(item: Reader): Reader
  record(fields: Record<string, Reader>, name?: string): Reader
  likest(options: { fields: readonly string[]; read: Reader }[]): Reader
  or(read: Reader, unread: unknown): Reader
  sure(read: Reader): Reader
  maybe(read: Reader): Reader
}

/** The value of an unreadable field. `undefined`: its object cannot be read without it. */
interface Unread {
  unread: unknown
}

/**
 * Makes the tolerant reader of an answer from its shape. An unreadable field becomes the value in `.meta({ unread })`; without
 * one: null if it is nullable, else '' for texts and instants, 0, false, an empty list. Ids, items of lists and objects in
 * objects have no such value: a list leaves the item out, and an object without its id or inner object is unreadable too.
 * `form` (a RegExp) and `within` (two numbers) in `.meta` limit the readable values.
 * @throws for a shape without a rule, such as an enum that is never null and has no `unread`
 */
export function answerReader<Reader>(answer: z.ZodType | null, readers: Readers<Reader>): Reader {
  return answer
    ? read(answer, readers, metaOf(answer) ?? (isNullable(answer) ? undefined : needed), 'answer')
    : readers.anything
}

/** An endpoint for screens: its operation, and the reader of its answer. */
export interface ReadableCall<Reader, Operation extends string = string> {
  operation: Operation
  read: Reader
  /** Path parameter with the id of the thing: the answer need not repeat it. */
  id?: string
  /** Only the status counts; the body is ignored. */
  statusOnly?: boolean
}

/** The call of an endpoint. @throws where its answer has no reader, with method and path */
export function callOf<Reader>(endpoint: AnyEndpoint, readers: Readers<Reader>): ReadableCall<Reader> {
  const { method, path, answer, statusOnly } = endpoint
  const parameter = /\{(\w+)\}[^{]*$/.exec(path)?.[1]
  const { type, shape } = (answer?.def ?? {}) as Partial<Definition>
  try {
    return {
      operation: `${method} ${path}`,
      read: statusOnly ? readers.anything : answerReader(answer, readers),
      ...(parameter && type === 'object' && parameter in shape! ? { id: parameter } : {}),
      ...(statusOnly ? { statusOnly } : {}),
    }
  } catch (error) {
    throw new Error(`The answer of ${method} ${path} has no reader: ${(error as Error).message}`, { cause: error })
  }
}

interface Definition {
  type: string
  format?: string
  innerType: z.ZodType
  element: z.ZodType
  shape: Record<string, z.ZodType>
  options: z.ZodType[]
  entries: Record<string, string>
}

const needed: Unread = { unread: undefined }
const metaOf = (shape: z.ZodType): Unread | undefined => {
  const meta = shape.meta()
  return meta && 'unread' in meta ? { unread: meta['unread'] } : undefined
}

function read<Reader>(shape: z.ZodType, make: Readers<Reader>, given: Unread | undefined, path: string): Reader {
  const meta = shape.meta() ?? {}
  const definition = shape.def as unknown as Definition
  const { type } = definition
  const own = given ?? metaOf(shape)
  /** @param base gives null or undefined for an unreadable value */
  const or = (base: Reader, usual: unknown) => {
    const { unread } = own ?? { unread: usual }
    return unread === undefined ? make.sure(base) : unread === null ? base : make.or(base, unread)
  }
  if (meta['pieces']) return make.or(make.pieces, own ? own.unread : [])
  switch (type) {
    case 'nullable':
      return read(definition.innerType, make, own ?? { unread: null }, path)
    case 'optional':
      return own
        ? read(definition.innerType, make, own, path)
        : make.maybe(read(definition.innerType, make, isNullable(definition.innerType) ? undefined : needed, path))
    case 'string': {
      const { unread } = own ?? { unread: meta['format'] === 'uuid' ? undefined : '' }
      if (definition.format === 'datetime') return or(make.instant, '')
      const form = meta['form'] ?? (definition.format === 'date' ? /^\d{4}-\d\d-\d\d$/ : null)
      if (form) return or(make.like(form as RegExp), '')
      return unread === undefined ? make.needed : unread === null ? make.text : make.textOr(unread as string)
    }
    case 'number': {
      const within = meta['within'] as [number, number] | undefined
      if (within || (own && own.unread === undefined)) return or(within ? make.within(...within) : make.number, 0)
      return own?.unread === null ? make.number : make.numberOr((own?.unread ?? 0) as number)
    }
    case 'boolean':
      if (own && own.unread === undefined) return make.sure(make.flag)
      return own?.unread === null ? make.flag : make.flagOr((own?.unread ?? false) as boolean)
    case 'enum': {
      const values = Object.values(definition.entries)
      if (!own) throw new Error(`${path} is an enum without "unread"`)
      return own.unread === undefined
        ? make.sure(make.oneOf(values, null))
        : make.oneOf(values, own.unread as string | null)
    }
    case 'array': {
      const item = definition.element
      const each = read(item, make, isNullable(item) ? undefined : needed, `${path}[]`)
      const { unread } = own ?? { unread: [] }
      return unread === undefined ? make.list(each) : make.or(make.list(each), unread)
    }
    case 'object': {
      const fields = Object.entries(definition.shape).map(([name, field]) => [
        name,
        read(field, make, undefined, `${path}.${name}`),
      ])
      const record =
        fields.length > 0 ? make.record(Object.fromEntries(fields) as Record<string, Reader>, meta.id) : make.anyObject
      return own && own.unread !== undefined ? make.or(record, own.unread) : record
    }
    case 'record':
      return own && own.unread !== undefined ? make.or(make.anyObject, own.unread) : make.anyObject
    case 'unknown':
      return make.unchanged
    case 'union':
      return make.likest(
        definition.options.map((option, index) => ({
          fields: Object.keys((option.def as unknown as Definition).shape),
          read: read(option, make, needed, `${path}|${index}`),
        })),
      )
    default:
      throw new Error(`${path} is of a type without a rule, ${type}`)
  }
}

const isNullable = (shape: z.ZodType) => shape.def.type === 'nullable'
