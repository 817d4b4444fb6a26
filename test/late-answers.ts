import type { Server } from 'node:http'

/**
 * With `LATE_ANSWERS=800` scripts and API answers come up to 800 ms late, each by a random time, as on a bad network. This shows stories and
 * screens that work only with quick answers.
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
    // one in five is not delayed, so that answers come in any order
    const late = /^\/(?:api|assets)\//.test(request.url ?? '') && Math.random() < 0.8
    if (late) setTimeout(answer, Math.random() * most)
    else answer()
  })
}
