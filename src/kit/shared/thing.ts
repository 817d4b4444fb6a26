import type { z } from 'zod'
import { emptied } from './input.ts'

/**
 * A field of a thing, described once: contracts, rows and statements are derived from it. A field without `answer` appears in no
 * answer; one without `input` cannot be sent.
 */
export interface Field {
  /** How answers say it. */
  readonly answer?: z.ZodType
  /** How it is sent. An empty text or null empties it, and what is not sent stays. */
  readonly input?: z.ZodType
  /** False: it cannot be emptied; null is refused. */
  readonly nullable?: false
  /** What it is before anything was sent, and when it is emptied; without a word of it: null. */
  readonly empty?: unknown
  /** The column that holds it in a form of its own, so that a rule converts it; null: no column holds it. */
  readonly column?: string | null
}
export type Fields = Readonly<Record<string, Field>>

type Having<F extends Fields, Part extends keyof Field> = {
  [Name in keyof F]: F[Name] extends Required<Pick<Field, Part>> ? Name : never
}[keyof F] &
  string

/** Fields whose column holds what answers say. */
type Plain<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { column: string | null } ? never : Name
}[keyof F] &
  string
/** Columns that hold something else than answers say. */
type Converted<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { column: infer Column extends string } ? Column : never
}[keyof F]
/** Fields that no column holds. */
type Uncolumned<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { column: null } ? Name : never
}[keyof F]
type ColumnOf<F extends Fields, Name> = Name extends keyof F
  ? F[Name] extends { column: infer Column }
    ? Column
    : Name
  : never

type Said<F extends Fields, Name extends keyof F> = F[Name] extends { answer: infer Shape extends z.ZodType }
  ? z.output<Shape>
  : never

/** A row as `columnsOf` selects it; instants as ISO texts. Converted columns have the type of `Table`. */
export type RowOf<F extends Fields, Table> = { [Name in Plain<F>]: Said<F, Name> } & {
  [Column in Converted<F> & keyof Table]: Table[Column]
}
/** What is written of a row: no key is optional, so that none can be forgotten. */
export type WrittenRow<F extends Fields, Table> = Pick<RowOf<F, Table>, WrittenColumn<F> & keyof RowOf<F, Table>>
type WrittenColumn<F extends Fields> = ColumnOf<F, Having<F, 'input'>>

/** What was sent, by the name of its field: null empties, undefined leaves as it is. */
type Sent<F extends Fields> = {
  readonly [Name in Having<F, 'input'>]?: z.output<NonNullable<F[Name]['input']>> | null | undefined
}
/** From what is sent to what its column holds: needed where a column has a form of its own, else where a rule changes it. */
type Conversions<F extends Fields, Table> = {
  [Name in Having<F, 'input'> as Name extends Plain<F> | Uncolumned<F> ? never : Name]: (
    value: z.output<NonNullable<F[Name]['input']>>,
  ) => Table[ColumnOf<F, Name> & keyof Table]
} & {
  [Name in Having<F, 'input'> & Plain<F>]?: (value: z.output<NonNullable<F[Name]['input']>>) => Said<F, Name>
}

/** What a row becomes by what was sent. */
export function changedRow<F extends Fields, Table>(
  fields: F,
  sent: Sent<F>,
  conversions: Conversions<F, Table>,
): Partial<WrittenRow<F, Table>> {
  const row: Record<string, unknown> = {}
  for (const [name, { input, column = name, empty = null }] of Object.entries<Field>(fields)) {
    const value = (sent as Record<string, unknown>)[name]
    if (!input || column === null || value === undefined) continue
    const convert = (conversions as Record<string, ((value: unknown) => unknown) | undefined>)[name]
    row[column] = value === null ? empty : convert ? convert(value) : value
  }
  return row as Partial<WrittenRow<F, Table>>
}

/** A row of which nothing was sent yet. */
export function emptyRow<F extends Fields, Table>(fields: F): WrittenRow<F, Table> {
  const row: Record<string, unknown> = {}
  for (const [name, { input, column = name, empty = null }] of Object.entries<Field>(fields))
    if (input && column !== null) row[column] = empty
  return row as WrittenRow<F, Table>
}

/** The shapes of an answer. */
export function answerOf<F extends Fields>(fields: F) {
  return picked(fields, ({ answer }) => answer) as { [Name in Having<F, 'answer'>]: NonNullable<F[Name]['answer']> }
}

/** The shapes of what may be sent; each may be left out. */
export function inputOf<F extends Fields>(fields: F) {
  // what is said of the shape is said of the field, be it empty or not
  const orEmpty = (input: z.ZodType) =>
    emptied(input.meta({ description: undefined })).meta({ description: input.description })
  return picked(
    fields,
    ({ input, nullable }) => input && (nullable === false ? input.optional() : orEmpty(input)),
  ) as unknown as {
    [Name in Having<F, 'input'>]: F[Name] extends { nullable: false }
      ? z.ZodOptional<NonNullable<F[Name]['input']>>
      : ReturnType<typeof emptied<NonNullable<F[Name]['input']>>>
  }
}

/** Names of columns; `written`: of what may be sent. */
export function columnsOf(fields: Fields, which: 'all' | 'written' = 'all'): string[] {
  return Object.entries(fields).flatMap(([name, { input, column = name }]) =>
    column === null || (which === 'written' && !input) ? [] : [column],
  )
}

/** Names of the fields whose column holds what answers say. */
export function plainOf<F extends Fields>(fields: F): Plain<F>[] {
  return Object.keys(fields).filter((name) => fields[name]!.column === undefined) as Plain<F>[]
}

/** These fields of a row alone. Spread it first: to assign into it takes twice the time. */
export function pickedOf<Row extends object, Name extends keyof Row>(
  row: Row,
  names: readonly Name[],
): Pick<Row, Name> {
  const found = {} as Pick<Row, Name>
  for (const name of names) found[name] = row[name]
  return found
}

function picked(fields: Fields, part: (field: Field) => z.ZodType | undefined): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const shape = part(field)
      return shape ? [[name, shape]] : []
    }),
  )
}
