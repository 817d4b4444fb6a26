import { sql } from 'kysely'
import type { Sql } from '../../../kit/server/database.ts'

export type TestKind = 'checkout' | 'portal' | 'subscription' | 'payment' | 'card'

export interface TestObject<State> {
  object_id: string
  business_id: string
  state: State
}

/** @param lock until the end of the transaction */
export async function findTestObject<State>(
  db: Sql,
  objectId: string,
  kind: TestKind,
  lock = false,
): Promise<TestObject<State> | undefined> {
  const { rows } = await sql<TestObject<State>>`
    select object_id, business_id, state from test_provider_objects
    where object_id = ${objectId} and kind = ${kind} ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0]
}

/** An existing object stays as it is. */
export async function insertTestObject(
  db: Sql,
  object: { object_id: string; kind: TestKind; business_id: string; state: object; due_at: Date | null },
): Promise<void> {
  await db
    .insertInto('test_provider_objects')
    .values({ ...object, state: JSON.stringify(object.state) })
    .onConflict((known) => known.doNothing())
    .execute()
}

export async function putTestState(db: Sql, objectId: string, state: object, dueAt: Date | null): Promise<void> {
  await sql`
    update test_provider_objects set state = ${JSON.stringify(state)}::jsonb, due_at = ${dueAt}
    where object_id = ${objectId}`.execute(db)
}

export async function testObjectsOf<State>(db: Sql, businessId: string, kind: TestKind): Promise<TestObject<State>[]> {
  const { rows } = await sql<TestObject<State>>`
    select object_id, business_id, state from test_provider_objects
    where business_id = ${businessId} and kind = ${kind} order by object_id limit 1000`.execute(db)
  return rows
}

export async function testObjectsDue(db: Sql, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ object_id: string }>`
    select object_id from test_provider_objects where due_at <= ${now} order by due_at limit ${limit}`.execute(db)
  return rows.map(({ object_id }) => object_id)
}
