import type { FastifyRequest } from 'fastify'
import type { Complain } from '../../kit/server/complaints.ts'
import type { LineLog } from '../../kit/server/line-log.ts'
import type { Config } from '../config.ts'

/** Personal data stays out of the log: no query strings (they hold positions), no headers, no bodies. */
export function loggerOptions(config: Config) {
  return {
    level: config.logLevel,
    // at level trace the form reader logs all headers
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

/** The path without segments of 40 letters and more: they are secrets that open a shared schedule or a calendar. */
export const withoutSecrets = (path: string): string => path.replace(/[^/]{40,}/g, '…')

/** Logs faults outside of requests, as lines of level warn in the server's log. */
export function notes(config: Config, logTo: LineLog) {
  const isWanted = ['warn', 'info', 'debug', 'trace'].includes(config.logLevel)
  return (message: string, error?: unknown) => {
    if (!isWanted) return
    const cause = error instanceof Error ? { type: error.name, message: error.message } : error
    const line = { level: 40, time: Date.now(), msg: message, ...(cause ? { err: cause } : {}) }
    logTo.write(`${JSON.stringify(line)}\n`)
  }
}

/** Logs faults that the operator must fix, as lines of level error in the server's log. */
export function complaints(config: Config, logTo: LineLog): Complain {
  const isWanted = !['silent', 'fatal'].includes(config.logLevel)
  return (message, details) => {
    if (isWanted) logTo.write(`${JSON.stringify({ level: 50, time: Date.now(), ...details, msg: message })}\n`)
  }
}

/** The error for the log. Of a database error only kind and place: its message may hold values of a row or words of a search. */
export function withoutContent(error: unknown): unknown {
  if (!(error instanceof Error) || !('severity' in error)) return error
  const { code, constraint, table, routine } = error as Error & Record<string, unknown>
  const frames = error.stack?.split('\n').filter((line) => line.trimStart().startsWith('at '))
  return { type: 'DatabaseError', code, constraint, table, routine, stack: frames?.join('\n') }
}
