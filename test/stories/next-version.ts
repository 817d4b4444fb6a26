import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { onTestFinished } from 'vitest'

/** A build that does not exist. */
const nextBuild = 'next0000'
/** Headers about the transport of an answer, which are not copied. */
const travelled = /^(connection|content-encoding|content-length|keep-alive|transfer-encoding)$/

/**
 * A server in front of the app, until the test ends. With `isNewer` everything is as after an update: the same screens,
 * but documents, files and service worker of another build. `worker`: the service worker that it serves instead. With
 * `isBusy` it refuses pages and API, like an overloaded instance; `refused` counts that. With `isPortal` it answers everything except
 * pages with a page, like a Wi-Fi that demands a login.
 */
export async function inFrontOf(app: { url: string }) {
  const html = await (await fetch(`${app.url}/offline`)).text()
  const build = / data-build="(\w+)"/.exec(html)![1]!
  const front = {
    url: '',
    nextBuild,
    isNewer: false,
    worker: null as string | null,
    isBusy: false,
    refused: 0,
    isPortal: false,
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => new Promise<void>((done) => (server.close(() => done()), server.closeAllConnections())))
  return front

  async function answer({ url = '/', method = 'GET', headers: asked }: IncomingMessage, response: ServerResponse) {
    if (url === '/sw.js' && front.worker !== null)
      return void response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(front.worker)
    if (front.isBusy && (url.startsWith('/api/') || asked['sec-fetch-mode'] === 'navigate')) {
      front.refused++
      const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'front' }
      return void response.writeHead(503, headers).end('{"error":"We are very busy.","code":"busy"}')
    }
    if (front.isPortal && (url.startsWith('/api/') || url === '/healthz'))
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in to this Wi-Fi</h1>')
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const given = await fetch(app.url + url.replace(nextBuild, build), {
      method,
      redirect: 'manual',
      headers: { accept: asked.accept ?? '*/*', 'accept-language': asked['accept-language'] ?? '' },
      signal: gone.signal,
    })
    const headers = Object.fromEntries([...given.headers].filter(([name]) => !travelled.test(name)))
    response.writeHead(given.status, headers)
    if (/html|javascript/.test(headers['content-type'] ?? '')) {
      const text = await given.text()
      return void response.end(front.isNewer ? text.replaceAll(build, nextBuild) : text)
    }
    await (given.body ? pipeline(Readable.fromWeb(given.body as never), response) : response.end())
  }
}
