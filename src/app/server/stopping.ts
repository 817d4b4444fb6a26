import type { Server } from 'node:http'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'

/** Nothing new for this long, and what was sent before the stop has arrived. */
const quietMs = 100
/**
 * Who goes on asking does not hold up the end: after this time it comes once as many connections were taken as the
 * operating system can have held back (Node's own backlog), for they are taken in the order they came.
 */
const arrivingMs = 1_000
const backlog = 511
/** A machine too busy to take those in this time stops all the same. */
const arrivingAtMostMs = 4_000
const sweepMs = 50

/**
 * The first step of a stop, before the server stops listening. What was sent before it may still be on its way or lie
 * unread in the operating system, where closing would reset it: connections are taken one in a turn of the event loop.
 * So it goes on answering (each connection closed after its answer) until nothing new comes. From then on connections
 * are closed as they fall idle after their last answer, or their keep-alive would hold up the end.
 */
export async function letArrive(server: Server): Promise<void> {
  if (!server.listening) return
  let arrived = 0
  let connected = 0
  const count = () => void arrived++
  const countConnection = () => void connected++
  server.on('connection', count).on('connection', countConnection).on('request', count)
  const began = performance.now()
  const ended = () => {
    const ms = performance.now() - began
    return ms >= (connected > backlog ? arrivingMs : arrivingAtMostMs)
  }
  let before: number
  do {
    before = arrived
    await pause(quietMs)
    // a timer fires before sockets are read; after a turn they have been
    await turn()
  } while (arrived !== before && !ended())
  server.off('connection', count).off('connection', countConnection).off('request', count)

  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), sweepMs)
  server.once('close', () => clearInterval(sweep))
}
