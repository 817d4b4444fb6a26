import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * A server in front of the app that a story can switch off: `refused`, nobody listens at its address; `silent`, it accepts
 * requests and never answers. It inserts `script` before all other scripts of each document and of the service worker.
 */
export async function startGate(app: { url: string }) {
  const target = new URL(app.url)
  const gate = { url: '', script: '', mode: 'open' as 'open' | 'silent' | 'refused', open, silence, refuse, close }
  const sockets = new Set<Socket>()
  const server = createServer(pass)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await listen(0)
  const { port } = server.address() as AddressInfo
  gate.url = `http://127.0.0.1:${port}`
  return gate

  function listen(at: number) {
    return new Promise<void>((done) => server.listen(at, '127.0.0.1', done))
  }
  async function open() {
    if (gate.mode === 'refused') await listen(port)
    // requests during the silence are not answered later
    else dropConnections()
    gate.mode = 'open'
  }
  async function silence() {
    await open()
    dropConnections()
    gate.mode = 'silent'
  }
  async function refuse() {
    gate.mode = 'refused'
    const closed = new Promise<unknown>((done) => server.close(done))
    dropConnections()
    await closed
  }
  async function close() {
    if (gate.mode !== 'refused') await refuse()
  }
  function dropConnections() {
    for (const socket of sockets) socket.destroy()
  }

  function pass(asked: IncomingMessage, answer: ServerResponse) {
    if (gate.mode === 'silent') return
    const onward = ask(
      {
        host: target.hostname,
        port: target.port,
        method: asked.method,
        path: asked.url,
        // uncompressed, so that the script can be inserted
        headers: { ...asked.headers, 'accept-encoding': 'identity' },
      },
      (given) => void give(asked, given, answer).catch(() => answer.destroy()),
    )
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  }

  async function give(asked: IncomingMessage, given: IncomingMessage, answer: ServerResponse) {
    const isDocument = given.headers['content-type']?.startsWith('text/html') && given.statusCode !== 304
    if (!isDocument && asked.url !== '/sw.js') {
      answer.writeHead(given.statusCode!, given.headers)
      answer.flushHeaders()
      return void given.pipe(answer)
    }
    let text = ''
    for await (const piece of given.setEncoding('utf8')) text += String(piece)
    const [, nonce] = /'nonce-([^']+)'/.exec(String(given.headers['content-security-policy'])) ?? []
    const put = isDocument
      ? text.replace('<head>', () => `<head><script nonce="${nonce}">${gate.script}</script>`)
      : `${gate.script}\n${text}`
    const { 'content-length': _, ...headers } = given.headers
    answer.writeHead(given.statusCode!, headers).end(asked.method === 'HEAD' ? undefined : put)
  }
}
export type Gate = Awaited<ReturnType<typeof startGate>>
