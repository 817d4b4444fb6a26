import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { documentCache } from './document-cache.ts'

const nonceOf = (letter: string) => letter.repeat(24)

const page = (html: string, status = 200, madeOf: string | null = null) => ({
  status,
  headers: [['content-type', 'text/html']] as [string, string][],
  html,
  madeOf,
})

describe('cached documents', () => {
  it('are rendered once for requests at the same time, each answer with its own nonce', async () => {
    const documentFor = documentCache()
    let rendered = 0
    const render = async (nonce: string) => page(`<script nonce="${nonce}"></script> ${++rendered}`)
    const answers = await Promise.all(['a', 'b', 'c'].map(nonceOf).map((nonce) => documentFor('/', nonce, render)))
    expect(answers.map(({ html }) => html)).toEqual(
      ['a', 'b', 'c'].map(nonceOf).map((nonce) => `<script nonce="${nonce}"></script> 1`),
    )
  })
  it('are never shared between addresses', async () => {
    const documentFor = documentCache()
    expect((await documentFor('/x', nonceOf('n'), async () => page('x'))).html).toBe('x')
    expect((await documentFor('/y', nonceOf('n'), async () => page('y'))).html).toBe('y')
  })
  it('have a random placeholder for the nonce, which no text can contain', async () => {
    const documentFor = documentCache()
    let placeholder = ''
    await documentFor('/', nonceOf('f'), async (nonce) => page((placeholder = nonce)))
    expect(placeholder).toMatch(/^[0-9a-f]{48}$/)
    expect(placeholder).not.toBe(nonceOf('f'))
  })
  it.each([404, 500])('are not cached when they are a %i', async (status) => {
    const documentFor = documentCache()
    await documentFor('/', nonceOf('n'), async () => page('old', status))
    expect((await documentFor('/', nonceOf('n'), async () => page('new'))).html).toBe('new')
  })
  it('are not cached when rendering failed', async () => {
    const documentFor = documentCache()
    await expect(documentFor('/', nonceOf('n'), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect((await documentFor('/', nonceOf('n'), async () => page('whole'))).html).toBe('whole')
  })
  it('are 500 at most', async () => {
    const documentFor = documentCache()
    for (let n = 0; n < 600; n++) await documentFor(`/${n}`, nonceOf('n'), async () => page('first'))
    expect((await documentFor('/0', nonceOf('n'), async () => page('again'))).html).toBe('again')
    expect((await documentFor('/599', nonceOf('n'), async () => page('again'))).html).toBe('first')
  })
  it('are rendered again after a second, but only when their data has changed', async () => {
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => clock.mockRestore())
    const documentFor = documentCache()
    const asked: (string | null)[] = []
    let data = 'beer'
    const ask = async () => {
      const render = async (nonce: string, known: string | null) => {
        asked.push(known)
        return known === data ? 'unchanged' : page(`${data} ${nonce}`, 200, data)
      }
      return (await documentFor('/', nonceOf('n'), render)).html
    }
    expect(await ask()).toBe(`beer ${nonceOf('n')}`)
    now = 1001
    expect(await ask()).toBe(`beer ${nonceOf('n')}`)
    expect(await ask()).toBe(`beer ${nonceOf('n')}`)
    expect(asked).toEqual([null, 'beer'])
    now = 2002
    data = 'wine'
    expect(await ask()).toBe(`wine ${nonceOf('n')}`)
    now = 3003
    expect(await ask()).toBe(`wine ${nonceOf('n')}`)
    expect(asked).toEqual([null, 'beer', 'beer', 'wine'])
  })

  describe('while the database does not answer', () => {
    const aPage = async () => {
      let now = 0
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
      onTestFinished(() => clock.mockRestore())
      const documentFor = documentCache()
      const ask = async (render: Parameters<typeof documentFor>[2]) => {
        const { status, headers, html } = await documentFor('/', nonceOf('n'), render)
        return { status, said: Object.fromEntries(headers), html: html }
      }
      await ask(async () => page('good'))
      return { ask, at: (ms: number) => void (now = ms) }
    }

    it('are used again for a minute, and say how old they are', async () => {
      const { ask, at } = await aPage()
      at(36_500)
      expect(await ask(async () => page('gone', 503))).toMatchObject({
        status: 200,
        html: 'good',
        said: { age: '37', 'cache-status': 'rheinklang; hit; ttl=-36; detail=unavailable' },
      })
      at(60_500)
      expect(await ask(async () => page('gone', 503))).toMatchObject({ status: 503, html: 'gone' })
    })
    it('are tried again once a second, and fresh as soon as the database answers', async () => {
      const { ask, at } = await aPage()
      at(5000)
      let asked = 0
      const fails = async () => (asked++, page('gone', 503))
      for (let n = 0; n < 5; n++) expect((await ask(fails)).html).toBe('good')
      expect(asked).toBe(1)
      at(6001)
      const { html, said } = await ask(async () => page('back'))
      expect(html).toBe('back')
      expect(said).not.toHaveProperty('age')
    })
    it('are used again while a fresh one takes too long', async () => {
      const { ask, at } = await aPage()
      at(5000)
      const { html, said } = await ask(() => new Promise(() => {}))
      expect(html).toBe('good')
      expect(said).toHaveProperty('age')
    })
    it.each([404, 410, 500])('never hide a %i', async (status) => {
      const { ask, at } = await aPage()
      at(5000)
      expect((await ask(async () => page('other', status))).status).toBe(status)
    })
  })
})
