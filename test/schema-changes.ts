import type pg from 'pg'

/** The parts of a schema that code depends on. */
export interface Schema {
  /** Columns by `table.column`. */
  columns: Map<string, { table: string; type: string; required: boolean; filled: boolean }>
  /** Result types of functions, by name and arguments. */
  functions: Map<string, string>
  /** Checks, keys and unique indexes, as table and definition. */
  rules: Map<string, { table: string; columns: string[]; definition: string }>
  /** Foreign keys that prevent deleting rows of the other table, as both tables. */
  holds: Map<string, { table: string; held: string }>
}

export async function schemaOf(client: pg.Client): Promise<Schema> {
  const rows = async <Row>(text: string) => (await client.query(text)).rows as Row[]
  const ours = (oid: string, classOf: string) =>
    `not exists (select from pg_depend e where e.objid = ${oid} and e.classid = '${classOf}'::regclass and e.deptype = 'e')`
  const columns = await rows<{ table: string; name: string; type: string; required: boolean; filled: boolean }>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as required, a.atthasdef or a.attidentity <> '' as filled
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
      and c.relname !~ '^(kysely_|migration_files)' and ${ours('c.oid', 'pg_class')}`)
  const functions = await rows<{ name: string; result: string }>(`
    select p.proname || '(' || oidvectortypes(p.proargtypes) || ')' as name,
      coalesce(pg_get_function_result(p.oid), '') as result
    from pg_proc p where p.pronamespace = 'public'::regnamespace and ${ours('p.oid', 'pg_proc')}`)
  const rules = await rows<{ table: string; columns: string[]; definition: string }>(`
    select t.relname as table, pg_get_constraintdef(k.oid) as definition,
      array(select attname::text from pg_attribute where attrelid = t.oid and attnum = any(k.conkey)) as columns
    from pg_constraint k join pg_class t on t.oid = k.conrelid
    where k.connamespace = 'public'::regnamespace and k.contype in ('c', 'f', 'p', 'u', 'x')
    union all
    select t.relname, regexp_replace(pg_get_indexdef(i.indexrelid), '^CREATE UNIQUE INDEX \\S+ ', 'UNIQUE INDEX '),
      array(select attname::text from pg_attribute where attrelid = t.oid and attnum = any(i.indkey))
    from pg_index i join pg_class t on t.oid = i.indrelid
    where i.indisunique and t.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`)
  const holds = await rows<{ table: string; held: string }>(`
    select k.conrelid::regclass::text as table, k.confrelid::regclass::text as held from pg_constraint k
    where k.connamespace = 'public'::regnamespace and k.contype = 'f' and k.confdeltype in ('a', 'r')`)
  return {
    columns: new Map(columns.map(({ name, ...column }) => [`${column.table}.${name}`, column])),
    functions: new Map(functions.map(({ name, result }) => [name, result])),
    rules: new Map(rules.map((rule) => [`${rule.table} ${rule.definition}`, rule])),
    holds: new Map(holds.map((hold) => [`${hold.table} ${hold.held}`, hold])),
  }
}

/**
 * Changes that break code written for the schema `before`, as sentences; empty: the code runs on `after`. Triggers and bodies of functions
 * are not checked.
 */
export function whatBreaks(before: Schema, after: Schema): string[] {
  const breaks: string[] = []
  const tables = new Set([...before.columns.values()].map(({ table }) => table))
  const tablesAfter = new Set([...after.columns.values()].map(({ table }) => table))
  for (const table of tables) if (!tablesAfter.has(table)) breaks.push(`${table} is gone`)
  for (const [name, was] of before.columns) {
    const is = after.columns.get(name)
    if (!is) {
      if (tablesAfter.has(was.table)) breaks.push(`${name} is gone`)
      continue
    }
    if (is.type !== was.type) breaks.push(`${name} was ${was.type} and is ${is.type}`)
    if (is.required && !was.required) breaks.push(`${name} may no longer be empty`)
    if (is.required && was.filled && !is.filled) breaks.push(`${name} is no longer filled by itself`)
  }
  for (const [name, { table, required, filled }] of after.columns)
    if (tables.has(table) && !before.columns.has(name) && required && !filled)
      breaks.push(`${name} is new and must be given`)
  for (const [name, result] of before.functions)
    if (after.functions.get(name) !== result) breaks.push(`the function ${name} is gone or answers another type`)
  for (const [name, { table, columns, definition }] of after.rules) {
    // a constraint of a new column alone cannot fail, as old code does not write that column
    const meetsOldColumns = columns.length === 0 || columns.some((each) => before.columns.has(`${table}.${each}`))
    if (tables.has(table) && meetsOldColumns && !before.rules.has(name)) breaks.push(`${table} demands ${definition}`)
  }
  for (const [name, { table, held }] of after.holds)
    if (tables.has(held) && !before.holds.has(name)) breaks.push(`${table} keeps rows of ${held} from being deleted`)
  return breaks.sort()
}
