import { createConnection } from 'node:net'
import { networkInterfaces } from 'node:os'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMailPeer, withMail, type Received } from '../../../test/peers/smtp.ts'
import { aMerchant, aVisitor, get, goodPassword, mailsTo, mailTo, post, visitorForm } from '../../../test/people.ts'
import { api, appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'
import { isHere } from '../../app/server/demo-mailbox.ts'
import { escapeHtml, html } from '../../kit/server/mail-html.ts'

describe('mail by SMTP', () => {
  it('is sent as HTML and text, in the language of the reader, to one recipient', async () => {
    const peer = await startMailPeer(() => null)
    const app = await appForTest({ env: { ...withMail(peer.url), PUBLIC_URL: 'https://festival.example' } })
    const name = '<b>Léa</b> & "Co" moc.live'
    expect(
      (await post(app, '/api/auth/signup', visitorForm('lea@example.org', { display_name: name, language: 'fr' })))
        .status,
    ).toBe(201)
    await expect.poll(() => peer.received.length).toBe(1)
    const [{ to, raw }] = peer.received as [Received]
    expect(to).toEqual(['lea@example.org'])
    const mail = await PostalMime.parse(Buffer.from(raw, 'latin1'))
    expect(mail.subject).toBe('Confirme ton adresse')
    expect(mail.from).toMatchObject({ address: 'hello@rheinklang.example', name: 'Rheinklang' })
    expect(mail.text).toContain('Bonjour <b>Léa</b> & "Co" moc. live')
    expect(mail.html).toContain('Bonjour &lt;b&gt;Léa&lt;/b&gt; &amp; &quot;Co&quot; moc. live')
    expect(mail.html).not.toContain('<b>')
    expect(mail.text).toMatch(/https:\/\/festival\.example\/verify-email\?token=[\w-]{43}/)
    expect(mail.html).toContain('<html lang="fr">')
    expect(mail.html).not.toMatch(/<script|<img|<link|src=/)
    // With real mail, an address must be confirmed and there is no demo mailbox.
    expect((await get(app, '/api/auth/options')).body).toMatchObject({ verified_email_required: true, demo_mail: null })
    // A name may contain characters that reverse the text direction; mails leave them out.
    await app.db.updateTable('accounts').set({ display_name: 'Léa \u202emoc.live' }).execute()
    await post(app, '/api/auth/forgot', { email: 'lea@example.org' })
    await expect.poll(() => peer.received.length).toBe(2)
    expect((await PostalMime.parse(Buffer.from(peer.received[1]!.raw, 'latin1'))).text).toContain(
      'Bonjour Léa moc. live',
    )
  })
  it('that is refused temporarily (451) is retried with the same id and arrives once', async () => {
    const peer = await startMailPeer((_, nth) => (nth === 1 ? 451 : null))
    const app = await appForTest({ jobs: 'queue', env: withMail(peer.url) })
    await post(app, '/api/auth/signup', visitorForm('busy@example.org'))
    await expect.poll(() => peer.received.length, { timeout: 90_000, interval: 250 }).toBe(1)
    expect(peer.tries.get('busy@example.org')).toBe(2)
    const mail = await PostalMime.parse(Buffer.from(peer.received[0]!.raw, 'latin1'))
    expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@rheinklang>$/)
    await expect.poll(async () => (await app.db.selectFrom('outgoing_mails').selectAll().execute()).length).toBe(0)
  })
  it('that is refused for good (550) is not retried, and deleted', async () => {
    const peer = await startMailPeer(() => 550)
    const lines: string[] = []
    const app = await appForTest({ env: withMail(peer.url), log: lines })
    await post(app, '/api/auth/signup', visitorForm('gone@example.org'))
    await expect.poll(() => lines.filter((line) => line.includes('mail_refused')).length).toBe(1)
    await expect.poll(async () => (await app.db.selectFrom('outgoing_mails').selectAll().execute()).length).toBe(0)
    expect(lines.join('\n')).not.toContain('gone@example.org')
    // The next job is not blocked by the first.
    await post(app, '/api/auth/signup', visitorForm('gone2@example.org'))
    await expect.poll(() => peer.tries.get('gone2@example.org')).toBe(1)
    expect(peer.tries.get('gone@example.org')).toBe(1)
  })
  it('is not lost while the mail server is down', async () => {
    const peer = await startMailPeer(() => null)
    // A port where nobody listens.
    const app = await appForTest({ env: withMail('smtp://127.0.0.1:1') })
    expect((await post(app, '/api/auth/signup', visitorForm('later@example.org'))).status).toBe(201)
    await expect
      .poll(async () => (await app.db.selectFrom('outgoing_mails').select('kind').execute()).map(({ kind }) => kind), {
        timeout: 90_000,
      })
      .toEqual(['verify'])
    expect(peer.received).toEqual([])
  })
})

describe('no header or second recipient can be injected into a mail', () => {
  const tricks = [
    { email: 'a@b.ch\r\nBcc: all@example.org' },
    { email: 'a@b.ch\nSubject: x' },
    { email: 'a@b.ch,all@example.org' },
    { email: '"a@b.ch, x"@example.org' },
    { email: '<a@b.ch>' },
    { email: 'a@b.ch\u2028Bcc: x@y.ch' },
    { email: 'a b@example.org' },
    { display_name: 'Lena\r\nBcc: all@example.org' },
    { display_name: 'Lena\u2029x' },
    { display_name: 'Lena\u0000x' },
  ]
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.close())
  it.each(tricks)('%j is refused', async (trick) => {
    expect((await post(app, '/api/auth/signup', visitorForm('trick@example.org', trick))).status).toBe(400)
    if ('email' in trick) {
      expect((await post(app, '/api/auth/forgot', trick)).status).toBe(400)
      expect((await post(app, '/api/newsletter', trick)).status).toBe(400)
    }
  })
})

describe('a notice', () => {
  it('says what to do if it was somebody else', async () => {
    const app = await appForTest()
    const owner = await aMerchant(app, 'owner@example.org')
    const next = { email: 'thief@example.org', password: goodPassword }
    expect((await post(app, '/api/me/email', next, { token: owner.authToken })).status).toBe(202)
    const changing = await mailTo(app, owner.email, 'about to change')
    expect(changing.text).toContain(`${app.url}/forgot-password?kind=business`)
    await post(app, '/api/me', { password: goodPassword }, { token: owner.authToken, method: 'DELETE' })
    const leaving = await mailTo(app, owner.email, 'will be deleted')
    expect(leaving.text).toContain(`${app.url}/business-login?next=%2Fsettings`)
    for (const { text } of [changing, leaving]) expect(text).not.toContain('nothing happens')
    // A mail with a link changes nothing by itself, and says so.
    expect((await mailTo(app, owner.email, 'confirm your email')).text).toContain('nothing happens')
  })
})

describe('a link in a sent mail', () => {
  it('never has the Host of the request, but this machine until PUBLIC_URL is set', async () => {
    const peer = await startMailPeer(() => null)
    const app = await appForTest({ env: withMail(peer.url) })
    const { port } = new URL(app.url)
    for (const [n, host] of ['192.168.66.6', '10.6.6.6:8080', 'evil.example', `127.0.0.1:${port}`].entries()) {
      const body = JSON.stringify(visitorForm(`host${n}@example.org`))
      expect(await rawStatus(app, '/api/auth/signup', host, body)).toBe(201)
      await expect.poll(() => peer.received.length).toBe(n + 1)
      const mail = await PostalMime.parse(Buffer.from(peer.received[n]!.raw, 'latin1'))
      const [, origin] = /(http\S+)\/verify-email/.exec(mail.text!)!
      // HOST of these tests, as the site's own banner names it
      expect(new URL(origin!).hostname).toBe('127.0.0.1')
    }
  })
})

describe('markup of mails', () => {
  it('escapes all values except other markup', () => {
    const name = `<img src=x onerror="alert('1')">`
    expect(html`<p title="${name}">${name}${html`<u>x</u>`}${[html`<i>${'&'}</i>`]}${3}</p>`.markup).toBe(
      `<p title="${escapeHtml(name)}">${escapeHtml(name)}<u>x</u><i>&amp;</i>3</p>`,
    )
    expect(escapeHtml(name)).not.toMatch(/[<>"']/)
  })
})

describe('the mailbox of the demo', () => {
  it('shows on this machine the mails that would have been sent, newest first, with links, and escaped', async () => {
    const app = await appForTest()
    await aVisitor(app, 'seen@example.org')
    await expect.poll(() => mailsTo(app, 'seen@example.org').then((all) => all.length)).toBe(1)
    const answer = await api(app, app.demoMailbox!)
    expect(answer.status).toBe(200)
    expect(answer.text.split('Please confirm your email address')).toHaveLength(2)
    // In the time zone of the festival, not of the machine.
    const hour = Temporal.Instant.from(/datetime="([^"]+)"/.exec(answer.text)![1]!).toZonedDateTimeISO(
      'Europe/Zurich',
    ).hour
    expect(answer.text).toMatch(new RegExp(`<time[^>]*>[^<]*\\b${String(hour).padStart(2, '0')}:\\d\\d:\\d\\d</time>`))
    expect(answer.text).toMatch(/<a href="http:\/\/127\.0\.0\.1:\d+\/verify-email\?token=[\w-]+">/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.text).not.toMatch(/<script|style=/)
    const [, css] = /<link rel="stylesheet" href="([^"]+)"/.exec(answer.text)!
    const look = await api(app, css!)
    expect(look.headers.get('content-type')).toContain('text/css')
    const fonts = [...look.text.matchAll(/url\('([^']+)'\)/g)].map(([, path]) => path!)
    expect(fonts).toHaveLength(2)
    for (const font of fonts) expect((await api(app, font)).headers.get('content-type')).toBe('font/woff2')
    expect((await get(app, '/api/auth/options')).body.demo_mail).toBe('/demo/mail')
  })
  it('opens with the key that the start prints, and then in that browser without it', async () => {
    const log: string[] = []
    const app = await appForTest({ pages: true, log })
    await aVisitor(app, 'seen@example.org')
    await expect.poll(() => mailsTo(app, 'seen@example.org').then((all) => all.length)).toBe(1)
    const [path, key] = app.demoMailbox!.split('?key=') as [string, string]
    expect(path).toBe('/demo/mail')
    expect(key).toMatch(/^[\w-]{22}$/)
    // A request through a proxy without headers looks like this.
    for (const without of [path, `${path}?key=`, `${path}?key=${key.slice(1)}x`, `${path}?key=${key}&key=${key}`]) {
      const closed = await api(app, without)
      expect(closed.status, without).toBe(403)
      expect(closed.text).toContain('the start of the server has printed')
      expect(closed.text).not.toMatch(/verify|token|seen@/)
      expect(closed.headers.get('set-cookie')).toBeNull()
    }
    const opened = await api(app, app.demoMailbox!)
    expect(opened.headers.get('referrer-policy')).toBe('no-referrer')
    const cookie = opened.headers.get('set-cookie')!
    expect(cookie).toMatch(/^demo_mail=[\w-]+; Path=\/demo\/mail; HttpOnly; SameSite=Strict$/)
    const again = await api(app, path, { headers: { cookie: cookie.split(';')[0]! } })
    expect(again.status).toBe(200)
    expect(again.text).toContain('seen@example.org')
    const public_ = ['/usersignup?created=yes', '/newsletter?sent', '/forgot-password?sent', '/api/auth/options']
    for (const each of public_) expect((await api(app, each)).text, each).not.toContain(key)
    expect(log.join('')).toContain('/demo/mail')
    expect(log.join('')).not.toContain(key)
  })
  it.each([
    'festival.example',
    '192.168.1.5',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example:80',
    '',
  ])('is closed to whoever asks for the host %j', async (host) => {
    const app = await appForTest()
    expect(await rawStatus(app, app.demoMailbox!, host)).not.toBe(200)
  })
  it.each([
    ['127.0.0.1', { host: 'localhost:3000' }, true],
    ['::1', { host: '[::1]:3000' }, true],
    ['::ffff:127.0.0.1', { host: '127.0.0.1' }, true],
    ['192.168.1.7', { host: 'localhost' }, false],
    ['203.0.113.9', { host: '127.0.0.1:3000' }, false],
    ['fe80::1', { host: 'localhost' }, false],
    [undefined, { host: 'localhost' }, false],
    ['127.0.0.1', { host: 'localhost', 'x-forwarded-for': '203.0.113.9' }, false],
    ['127.0.0.1', { host: 'localhost', 'x-real-ip': '203.0.113.9' }, false],
    ['127.0.0.1', { host: 'localhost', forwarded: 'for=203.0.113.9' }, false],
  ])('from %s with %j: here is %s', (remoteAddress, headers, here) => {
    expect(isHere({ headers, socket: { remoteAddress } })).toBe(here)
  })
  const outside = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  it.skipIf(!outside)('is closed to another machine, whatever host it says it asks for', async () => {
    const app = await appForTest({ env: { HOST: '0.0.0.0' } })
    const url = `http://${outside!.address}:${new URL(app.url).port}`
    expect(await rawStatus({ url }, '/healthz', 'localhost')).toBe(200)
    expect(await rawStatus({ url }, app.demoMailbox!, 'localhost')).toBe(404)
  })
  it('does not exist if mail is sent, or if others can reach the site', async () => {
    const sends = await appForTest({ env: withMail('smtp://127.0.0.1:1') })
    const { demoMailbox: path } = await appForTest()
    expect(sends.demoMailbox).toBeNull()
    expect((await api(sends, path!)).status).toBe(404)
    const open = await appForTest({ env: { PUBLIC_URL: 'https://festival.example' } })
    expect((await api(open, path!)).status).toBe(404)
    const near = await appForTest({ env: { PUBLIC_URL: 'http://localhost:3000' } })
    expect((await api(near, near.demoMailbox!)).status).toBe(200)
  })
})

/** Status of a GET, or with a body a POST, with a Host header that `fetch` would not send. */
function rawStatus(app: { url: string }, path: string, host: string, body?: string): Promise<number> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(port), hostname)
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('close', () => resolve(Number(answer.split(' ')[1])))
    socket.on('error', reject)
    const head = `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n`
    const sent =
      body === undefined
        ? ''
        : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    socket.write(head + (sent || '\r\n'))
  })
}
