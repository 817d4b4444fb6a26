import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api, startTestApp, type TestApp } from '../../../test/start-app.ts'

/** The form as a browser without JavaScript sends it. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ pages: true })
})
afterAll(() => app.close())

const good = {
  name: 'Lena',
  email: 'lena@example.ch',
  topic: 'merchant',
  message: 'Grüezi,\r\nmy bar is shown at the wrong corner.',
}

function post(fields: Record<string, string>, headers: Record<string, string> = {}) {
  return api(app, '/contact', { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) })
}

function messages() {
  return app.db.selectFrom('contact_messages').selectAll().orderBy('created_at', 'desc').execute()
}

describe('a visitor without JavaScript', () => {
  it('sends a message and is led to its ticket, which a reload does not send again', async () => {
    const sent = await post(good)
    expect(sent.status).toBe(303)
    const place = sent.headers.get('location')!
    expect(place).toMatch(/^\/contact\?ticket=RK-[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    const ticket = place.slice(-12)

    const [cookie] = sent.headers.get('set-cookie')!.split(';')
    const page = await api(app, place, { headers: { cookie: cookie! } })
    expect(page.status).toBe(200)
    expect(page.text).toContain(`>${ticket}</p>`)
    expect(page.text).toContain('<meta name="robots" content="noindex"')
    await api(app, place)
    const [kept, ...more] = await messages()
    expect(more).toEqual([])
    expect(kept).toMatchObject({ ticket, name: 'Lena', topic: 'merchant' })
    expect(kept!.message, 'line ends are those the writer made').toBe('Grüezi,\nmy bar is shown at the wrong corner.')
  })

  it('sends a message again after a refusal or a lost answer, and gets the ticket of the first time', async () => {
    const keyIn = (text: string) => /name="idempotency_key" value="(\w{16,})"/.exec(text)![1]!
    const key = keyIn((await api(app, '/contact')).text)
    const refused = await post({ ...good, message: 'short', idempotency_key: key })
    expect(keyIn(refused.text), 'the form keeps its key').toBe(key)
    const before = (await messages()).length
    const sent = await post({ ...good, idempotency_key: key })
    const again = await post({ ...good, idempotency_key: key })
    expect(again.headers.get('location')).toBe(sent.headers.get('location'))
    expect(await messages()).toHaveLength(before + 1)
  })

  it('gets everything typed back, beside the messages that say what is wrong', async () => {
    const before = (await messages()).length
    const refused = await post({ ...good, email: 'lena"><b>', message: 'short </textarea><b>' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('value="Lena"')
    expect(refused.text).toContain('value="lena&quot;&gt;&lt;b&gt;"')
    expect(refused.text).toContain('short &lt;/textarea&gt;&lt;b&gt;</textarea>')
    expect(refused.text).toMatch(
      /<option[^>]*value="merchant"[^>]*selected=""|<option[^>]*selected=""[^>]*value="merchant"/,
    )
    expect(refused.text).toMatch(/id="contact-email-error"[^>]*>.*?name@example\.ch/)
    const input = /<input[^>]*name="email"[^>]*>/.exec(refused.text)![0]
    expect(input).toContain('aria-invalid="true"')
    expect(input).toContain('aria-describedby="contact-email-error contact-email-help"')
    expect(input, 'the cursor stands in the first wrong field').toContain('autofocus=""')
    expect(await messages()).toHaveLength(before)
  })

  it('reads an error message when the form cannot be read', async () => {
    for (const [type, body] of [
      ['text/plain', 'hello'],
      ['multipart/form-data', 'no boundary'],
      ['application/x-www-form-urlencoded', ''],
      ['application/x-www-form-urlencoded', 'name=a%00b&email=a%40b.ch&message=long+enough+text'],
    ] as const) {
      const answer = await api(app, '/contact', { method: 'POST', headers: { 'content-type': type }, body })
      expect(answer.status, type).toBe(400)
      expect(answer.text, type).toMatch(/id="contact-name-error"/)
    }
  })

  it('reads the form in the chosen language', async () => {
    const refused = await post({ ...good, name: '' }, { cookie: 'lang=de' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('<html lang="de"')
    expect(refused.text).toMatch(/id="contact-name-error"[^>]*>.*?Bitte/)
  })
})

describe('the address of the contact page', () => {
  it('shows only well-formed ticket numbers', async () => {
    for (const ticket of ['RK-OOOO-1111', 'rk-7f3k-29qd', 'RK-7F3K-29QDX', 'CALL 0900 123', '<b>x</b>']) {
      const place = `/contact?ticket=${encodeURIComponent(ticket)}`
      const { status, text } = await api(app, place, { headers: { cookie: `happened=${encodeURIComponent(place)}` } })
      expect(status).toBe(200)
      expect(text).toContain('name="message"')
      expect(/<main.*<\/main>/s.exec(text)![0], ticket).not.toContain(ticket)
    }
  })

  it('may preselect a topic, and ignores an unknown one', async () => {
    const proposed = await api(app, '/contact?topic=privacy')
    expect(proposed.text).toMatch(
      /<option[^>]*value="privacy"[^>]*selected=""|<option[^>]*selected=""[^>]*value="privacy"/,
    )
    expect((await api(app, '/contact?topic=nonsense')).status).toBe(200)
  })
})
