import type { Server } from 'node:http'

/**
 * `LATE_ANSWERS=800` lets scripts and answers of the API come up to so many milliseconds late, each by another time, as on a bad network.
 * It shows which stories, and which screens, count on an answer that was only quick.
 */
export function answerLate(server: Server): void {
  const most = Number(process.env['LATE_ANSWERS'] ?? 0)
  if (!(most > 0)) return
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const answer = () => {
      for (const listener of listeners) listener.call(server, request, response)
    }
    // a few come at once, so that they come in every order
    const late = /^\/(?:api|assets)\//.test(request.url ?? '') && Math.random() < 0.8
    if (late) setTimeout(answer, Math.random() * most)
    else answer()
  })
}
