import type { Server } from 'node:http'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'

/** After this long without a new request, everything that was sent before the stop has arrived. */
const quietMs = 100
/**
 * If requests keep coming, this is the wait instead, and until `backlog` connections were accepted: they are accepted in
 * order, so the ones from before the stop are then among them.
 */
const arrivingMs = 1_000
/** Node's default: how many connections the operating system holds until they are accepted. */
const backlog = 511
/** The longest wait, for a machine too busy to accept that many. */
const arrivingAtMostMs = 4_000
const sweepMs = 50

/**
 * First step of a stop: goes on answering until nothing new comes. Requests that were sent before the stop may still be on their
 * way or wait in the operating system, where closing would reset their connections. Afterwards it closes each connection
 * that falls idle, since keep-alive would hold up the end.
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
    // timers fire before sockets are read; one turn later they have been read
    await turn()
  } while (arrived !== before && !ended())
  server.off('connection', count).off('connection', countConnection).off('request', count)

  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), sweepMs)
  server.once('close', () => clearInterval(sweep))
}
