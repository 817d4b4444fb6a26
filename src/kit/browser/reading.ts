/**
 * Reads one value of an answer, tolerantly: ids and numbers may be numbers or text, fields may be missing, unknown fields are
 * dropped. Screens get complete values and need no checks of their own. @returns null: the value is absent; undefined: it is
 * unreadable, which makes the object around it unreadable too (except for fields in `maybe`)
 */
export type Read<Value> = (value: unknown) => Value | undefined

export const text: Read<string | null> = (value) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null

/** Text; `absent` if it is missing or empty. */
export const textOr =
  (absent: string): Read<string> =>
  (value) =>
    text(value) || absent

/** Required text, such as an id or a token: without it the object is unreadable. */
export const needed: Read<string> = (value) => text(value) || undefined

export const number: Read<number | null> = (value) => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : null
}

export const numberOr =
  (absent: number): Read<number> =>
  (value) =>
    number(value) ?? absent

/** A number from `least` to `most`, both included. */
export const within =
  (least: number, most: number): Read<number | null> =>
  (value) => {
    const read = number(value) ?? null
    return read !== null && read >= least && read <= most ? read : null
  }

export const flag: Read<boolean | null> = (value) => {
  if (typeof value === 'boolean') return value
  return value === 'true' || value === 1 ? true : value === 'false' || value === 0 ? false : null
}

export const flagOr =
  (absent: boolean): Read<boolean> =>
  (value) =>
    flag(value) ?? absent

/** A valid date and time, as text. */
export const instant: Read<string | null> = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null

/** Text that matches `form`. */
export const like =
  (form: RegExp): Read<string | null> =>
  (value) =>
    typeof value === 'string' && form.test(value) ? value : null

/** One of the known values, else `absent`. */
export const oneOf =
  <Value extends string, Absent extends Value | null>(values: readonly Value[], absent: Absent): Read<Value | Absent> =>
  (value) =>
    values.find((each) => each === value) ?? absent

/** A list without its unreadable items. */
export const list =
  <Item>(item: Read<Item>): Read<Item[]> =>
  (value) =>
    Array.isArray(value) ? value.map(item).filter((each) => each !== undefined) : undefined

/** An object with these fields; unreadable if it has none of them. */
export function record<Value extends object>(fields: { [Name in keyof Value]-?: Read<Value[Name]> }): Read<Value> {
  const readers = Object.entries(fields) as [string, Read<unknown>][]
  return (value) => {
    if (!isObject(value) || !readers.some(([name]) => name in value)) return undefined
    const read: Record<string, unknown> = {}
    for (const [name, field] of readers) {
      const part = field(value[name])
      if (part !== undefined) read[name] = part
      else if (!optionalFields.has(field)) return undefined
    }
    return read as Value
  }
}

/** An optional field: the object leaves it out if it is absent or unreadable. */
export function maybe<Value>(read: Read<Value>): Read<Value> {
  const field: Read<Value> = (value) => read(value) ?? undefined
  optionalFields.add(field)
  return field
}
const optionalFields = new WeakSet<Read<unknown>>()

/** A required value: absent counts as unreadable, so the object is unreadable without it. */
export const sure =
  <Value>(read: Read<Value>): Read<NonNullable<Value>> =>
  (value) =>
    read(value) ?? undefined

/** Reads an object of one of several kinds: the kind of whose `fields` the value has the largest share. */
export const likest =
  (options: { fields: readonly string[]; read: Read<unknown> }[]): Read<unknown> =>
  (value) => {
    if (!isObject(value)) return undefined
    const share = ({ fields }: { fields: readonly string[] }) =>
      fields.filter((name) => name in value).length / fields.length
    return options.toSorted((a, b) => share(b) - share(a))[0]!.read(value)
  }

/** Any value, unchecked; null if it is missing. */
export const unchanged: Read<unknown> = (value) => value ?? null

export const anyObject: Read<object> = (value) => (isObject(value) ? value : undefined)

/** A value; `absent` if it is missing or unreadable. */
export const or =
  <Value, Absent>(read: Read<Value>, absent: Absent): Read<NonNullable<Value> | Absent> =>
  (value) =>
    read(value) ?? absent

/** Ignores the value: for answers whose status says everything. */
export const anything: Read<null> = () => null

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
