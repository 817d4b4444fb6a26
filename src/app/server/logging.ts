import type { FastifyRequest } from 'fastify'
import type { Complain } from '../../kit/server/complaints.ts'
import type { LineLog } from '../../kit/server/line-log.ts'
import type { Config } from '../config.ts'

/** Personal data stays out of the log: no query strings (they hold positions), no headers, no bodies. */
export function loggerOptions(config: Config) {
  return {
    level: config.logLevel,
    // the form reader logs the headers it was given at level trace
    redact: ['req.headers', 'busboyOptions.headers', 'err.detail', 'err.where', 'err.parameters'],
    serializers: {
      req: (request: FastifyRequest) => ({
        method: request.method,
        path: withoutSecrets(request.url.split('?', 1)[0]!),
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  }
}

/** A long segment is no id but a secret that opens what the address leads to: a shared schedule, somebody's calendar. */
export const withoutSecrets = (path: string): string => path.replace(/[^/]{40,}/g, '…')

/** What breaks outside of requests, as lines (level warn) among those of the server's own log. */
export function notes(config: Config, logTo: LineLog) {
  const isWanted = ['warn', 'info', 'debug', 'trace'].includes(config.logLevel)
  return (message: string, error?: unknown) => {
    if (!isWanted) return
    const cause = error instanceof Error ? { type: error.name, message: error.message } : error
    const line = { level: 40, time: Date.now(), msg: message, ...(cause ? { err: cause } : {}) }
    logTo.write(`${JSON.stringify(line)}\n`)
  }
}

/** What needs a hand of the operator, as lines of level error among those of the server's own log. */
export function complaints(config: Config, logTo: LineLog): Complain {
  const isWanted = !['silent', 'fatal'].includes(config.logLevel)
  return (message, details) => {
    if (isWanted) logTo.write(`${JSON.stringify({ level: 50, time: Date.now(), ...details, msg: message })}\n`)
  }
}

/** A database error names values of the row or the words of a search: what is kept is what it was, and where. */
export function withoutContent(error: unknown): unknown {
  if (!(error instanceof Error) || !('severity' in error)) return error
  const { code, constraint, table, routine } = error as Error & Record<string, unknown>
  const frames = error.stack?.split('\n').filter((line) => line.trimStart().startsWith('at '))
  return { type: 'DatabaseError', code, constraint, table, routine, stack: frames?.join('\n') }
}
