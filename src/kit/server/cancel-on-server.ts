import { connect } from 'node:net'
import type pg from 'pg'

/** Requests that are on their way at once; each ends by itself after a second. */
const mostUnderWay = 10
const answerMs = 1000
/** "Cancel request" of PostgreSQL's protocol, Message Formats. */
const cancelCode = 80877102

let underWay = 0

/**
 * Asks the server to end what a connection of ours is waiting for: the server notices late that its client is gone, and
 * until then the connection counts against its limit. By a cancel request, which needs none of these connections. Nobody
 * waits for it, and one that fails is lost: the server's own `statement_timeout` remains.
 */
export function cancelOnServer(client: pg.PoolClient): void {
  // not in the types of pg; the values of its protocol's BackendKeyData
  const { host, port, processID, secretKey } = client as pg.PoolClient & {
    host: string
    port: number
    processID: number | null
    secretKey: number | null
  }
  if (processID === null || secretKey === null || underWay >= mostUnderWay) return
  const request = Buffer.alloc(16)
  for (const [at, value] of [16, cancelCode, processID, secretKey].entries()) request.writeInt32BE(value, at * 4)
  underWay++
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.setTimeout(answerMs, () => socket.destroy())
  socket.on('error', () => {})
  socket.on('close', () => underWay--)
  socket.end(request)
}
