import type { z } from 'zod'
import { formText } from './form-text.ts'
import { emptied } from './input.ts'

/**
 * A field of a thing. Contracts, rows and statements are derived from it. A field without `answer` appears in no answer; a field
 * without `input` cannot be sent.
 */
export interface Field {
  /** Its shape in answers. */
  readonly answer?: z.ZodType
  /** Its shape when sent. '' or null clears the field, an absent field stays unchanged. */
  readonly input?: z.ZodType
  /** False: it cannot be cleared. */
  readonly nullable?: false
  /** Its value when new or cleared; default null. */
  readonly empty?: unknown
  /** A column that holds the value in another form, which a rule converts; null: no column. Default: the column of the field's name. */
  readonly column?: string | null
}
export type Fields = Readonly<Record<string, Field>>

type Having<F extends Fields, Part extends keyof Field> = {
  [Name in keyof F]: F[Name] extends Required<Pick<Field, Part>> ? Name : never
}[keyof F] &
  string

/** Fields whose column holds the value of answers. */
type Plain<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { column: string | null } ? never : Name
}[keyof F] &
  string
/** Columns that hold the value in another form. */
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

type AnswerValue<F extends Fields, Name extends keyof F> = F[Name] extends { answer: infer Shape extends z.ZodType }
  ? z.output<Shape>
  : never

/** A row with the columns of `columnsOf`; instants are ISO texts. Converted columns have the type of `Table`. */
export type RowOf<F extends Fields, Table> = { [Name in Plain<F>]: AnswerValue<F, Name> } & {
  [Column in Converted<F> & keyof Table]: Table[Column]
}
/** The columns that are written. No key is optional, so that none can be forgotten. */
export type WrittenRow<F extends Fields, Table> = Pick<RowOf<F, Table>, WrittenColumn<F> & keyof RowOf<F, Table>>
type WrittenColumn<F extends Fields> = ColumnOf<F, Having<F, 'input'>>

/** Sent values by field: null clears a field, undefined leaves it unchanged. */
type Sent<F extends Fields> = {
  readonly [Name in Having<F, 'input'>]?: z.output<NonNullable<F[Name]['input']>> | null | undefined
}
/** Functions from sent value to column value: required for converted columns, allowed for others. */
type Conversions<F extends Fields, Table> = {
  [Name in Having<F, 'input'> as Name extends Plain<F> | Uncolumned<F> ? never : Name]: (
    value: z.output<NonNullable<F[Name]['input']>>,
  ) => Table[ColumnOf<F, Name> & keyof Table]
} & {
  [Name in Having<F, 'input'> & Plain<F>]?: (value: z.output<NonNullable<F[Name]['input']>>) => AnswerValue<F, Name>
}

/** The columns to update for what was sent. */
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

/** The row of a new thing, before anything is sent. */
export function emptyRow<F extends Fields, Table>(fields: F): WrittenRow<F, Table> {
  const row: Record<string, unknown> = {}
  for (const [name, { input, column = name, empty = null }] of Object.entries<Field>(fields))
    if (input && column !== null) row[column] = empty
  return row as WrittenRow<F, Table>
}

/** What a form for a new thing begins with: the text of each field that can be sent. */
export function emptyForm<F extends Fields>(fields: F): Record<Having<F, 'input'>, string> {
  const form = Object.entries<Field>(fields).flatMap(([name, { input, empty }]) =>
    input ? [[name, formText(empty)]] : [],
  )
  return Object.fromEntries(form) as Record<Having<F, 'input'>, string>
}

/** Shapes of an answer, by field. */
export function answerOf<F extends Fields>(fields: F) {
  return picked(fields, ({ answer }) => answer) as { [Name in Having<F, 'answer'>]: NonNullable<F[Name]['answer']> }
}

/** Shapes of the input, by field; each may be absent, and cleared unless its `nullable` is false. */
export function inputOf<F extends Fields>(fields: F) {
  // the shape's description moves to the field
  const clearable = (input: z.ZodType) =>
    emptied(input.meta({ description: undefined })).meta({ description: input.description })
  return picked(
    fields,
    ({ input, nullable }) => input && (nullable === false ? input.optional() : clearable(input)),
  ) as unknown as {
    [Name in Having<F, 'input'>]: F[Name] extends { nullable: false }
      ? z.ZodOptional<NonNullable<F[Name]['input']>>
      : ReturnType<typeof emptied<NonNullable<F[Name]['input']>>>
  }
}

/** Names of columns; `written`: only those of fields that can be sent. */
export function columnsOf(fields: Fields, which: 'all' | 'written' = 'all'): string[] {
  return Object.entries(fields).flatMap(([name, { input, column = name }]) =>
    column === null || (which === 'written' && !input) ? [] : [column],
  )
}

/** Names of the fields whose column holds the value of answers. */
export function plainOf<F extends Fields>(fields: F): Plain<F>[] {
  return Object.keys(fields).filter((name) => fields[name]!.column === undefined) as Plain<F>[]
}

/** An object with these fields of a row. Spread it first in a literal: assigning to the result takes twice the time. */
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
