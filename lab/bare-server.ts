import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fastify } from 'fastify'
import pg from 'pg'
import { renderToString } from 'react-dom/server'
import { elementsOf, pageTree } from './page-tree.ts'

/**
 * A bare server: the least that the same work can cost. `kind`:
 * - `pg`: node:http, the prepared SQL of the product, JSON.stringify of the rows
 * - `fastify`: the same with Fastify and a serialiser compiled from a schema
 * - `fixed`: node:http with a fixed body
 * - `react`: node:http, the same SQL, and renderToString of the elements of the product's page, whose HTML is `body`
 * The SQL and its parameters were recorded from the product's stores and come in the JSON file WORK.
 */
interface Work {
  kind: 'pg' | 'fastify' | 'fixed' | 'react'
  sql: string
  parameters: unknown[][]
  body?: string
}
const work = JSON.parse(readFileSync(process.env['WORK']!, 'utf8')) as Work
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)
pg.types.setTypeParser(1082, (value) => value)
const pool = work.sql
  ? new pg.Pool({
      connectionString: process.env['DATABASE_URL'],
      max: 10,
      // the options of the product's pool: otherwise each request would be planned again
      options: '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan',
    })
  : null
let turn = 0
const rows = async () => {
  const values = work.parameters[turn++ % work.parameters.length]!
  return (await pool!.query({ name: 'q', text: work.sql, values })).rows as Record<string, unknown>[]
}
const tree = work.kind === 'react' ? pageTree(work.body!) : null
const port = Number(process.env['PORT'])

if (work.kind === 'fastify') {
  const sample = (await rows())[0] ?? {}
  const app = fastify()
  app.get(
    '/*',
    {
      schema: {
        response: {
          200: {
            type: 'array',
            items: {
              type: 'object',
              properties: Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, jsonType(value)])),
            },
          },
        },
      },
    },
    rows,
  )
  await app.listen({ host: '127.0.0.1', port })
} else {
  createServer((_request, response) => {
    const answer = async () => {
      if (work.kind === 'fixed') return work.body!
      if (work.kind === 'react') {
        await rows()
        return `<!DOCTYPE html>${renderToString(elementsOf(tree!))}`
      }
      return JSON.stringify(await rows())
    }
    answer().then(
      (body) => {
        response.setHeader('content-type', work.kind === 'react' ? 'text/html' : 'application/json')
        response.setHeader('content-length', Buffer.byteLength(body))
        response.end(body)
      },
      (error: unknown) => {
        console.error(error)
        response.statusCode = 500
        response.end()
      },
    )
  }).listen(port, '127.0.0.1')
}
process.on('SIGTERM', () => process.exit(0))

function jsonType(value: unknown) {
  if (typeof value === 'number') return { type: 'number', nullable: true }
  if (typeof value === 'boolean') return { type: 'boolean', nullable: true }
  if (Array.isArray(value)) return { type: 'array', items: { type: 'string' } }
  if (value instanceof Date) return { type: 'string', format: 'date-time', nullable: true }
  return { type: 'string', nullable: true }
}
