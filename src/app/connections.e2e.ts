import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addBusiness, addDeal } from '../../test/cast.ts'
import { startTestApp, type TestApp } from '../../test/start-app.ts'

let app: TestApp
const log: string[] = []

beforeAll(async () => {
  app = await startTestApp({ pages: true, log })
  const business = await addBusiness(app.db, 'Café Rhein')
  for (const title of ['Coffee', 'Cake', 'Soup']) await addDeal(app.db, business, title)
})
afterAll(() => app.close())

const open = () => connect(Number(new URL(app.url).port), '127.0.0.1')

/** Everything that the server sends until it closes the connection. */
async function answerTo(text: string): Promise<string> {
  const socket = open()
  let answer = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
  socket.write(text)
  await once(socket, 'close')
  return answer
}

describe('a request whose body does not arrive', () => {
  it('gets one answer, and no second one for the timeout', async () => {
    const [answered, never] = await Promise.all([
      answerTo('PUT /api/nope HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n'),
      answerTo(
        'POST /api/contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
      ),
    ])
    expect(answered).toMatch(/^HTTP\/1\.1 404 /)
    expect(answered.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(never).toMatch(/^HTTP\/1\.1 408 /)
    expect(never.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
  it('leaves its connection usable: the body may arrive late, and the next request is answered', async () => {
    const socket = open()
    let answer = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
    socket.write('PUT /api/nope HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n')
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 404 /)
    socket.write('late!GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await once(socket, 'close')
    expect(answer).toContain('{"status":"live"}')
  })
})

describe('connections that clients close', () => {
  it('write no error to the log', async () => {
    for (const path of ['/api/deals', '/deals', '/api/auth/options'])
      for (let n = 0; n < 50; n++) {
        const socket = open()
        await once(socket, 'connect')
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
        // the server has received the request, but not read it yet
        socket.resetAndDestroy()
      }
    await fetch(`${app.url}/api/the-last-one`)
    await expect.poll(() => log.some((line) => line.includes('/api/the-last-one'))).toBe(true)
    const isTrouble = (line: string) => (JSON.parse(line) as { level: number }).level >= 40
    expect(log.filter((line) => line.includes('"reqId"') && isTrouble(line))).toEqual([])
  })
})

describe('a request that names two hosts is refused and not echoed', () => {
  const list = (target: string, headers: string) => answerTo(`GET ${target} HTTP/1.1\r\n${headers}\r\n\r\n`)
  it.each([
    ['two Host headers', '/api/deals?limit=1', 'Host: localhost\r\nHost: evil.example\r\nConnection: close'],
    ['the same one twice', '/deals', 'Host: localhost\r\nhOST: localhost\r\nConnection: close'],
    ['a whole address', 'http://evil.example/api/deals?limit=1', 'Host: localhost\r\nConnection: close'],
    ['one of a page', 'HTTPS://evil.example/deals', 'Host: evil.example\r\nConnection: close'],
  ])('by %s', async (_, target, headers) => {
    const answer = await list(target, headers)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"code":"bad_request"')
    expect(answer).not.toContain('evil')
  })
  it('but one that names one host is answered with a link to the next page', async () => {
    const answer = await list('/api/deals?limit=1', 'Host: localhost\r\nConnection: close')
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toMatch(/\r\nlink: <\/api\/deals\?limit=1&after=[^>]+>; rel="next"/)
  })
})
