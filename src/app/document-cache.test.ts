import { describe, expect, it } from 'vitest'
import { documentCache } from './document-cache.ts'

const page = (html: string, status = 200) => ({
  status,
  headers: [['content-type', 'text/html']] as [string, string][],
  html,
})

describe('the documents of a second', () => {
  it('are rendered once for all who ask at once, each answer with its own nonce', async () => {
    const documentFor = documentCache()
    let rendered = 0
    const render = async (nonce: string) => page(`<script nonce="${nonce}"></script> ${++rendered}`)
    const answers = await Promise.all(['a', 'b', 'c'].map((nonce) => documentFor('/', nonce, render)))
    expect(answers.map(({ html }) => String(html))).toEqual(
      ['a', 'b', 'c'].map((nonce) => `<script nonce="${nonce}"></script> 1`),
    )
  })
  it('are never shared between addresses', async () => {
    const documentFor = documentCache()
    expect(String((await documentFor('/x', 'n', async () => page('x'))).html)).toBe('x')
    expect(String((await documentFor('/y', 'n', async () => page('y'))).html)).toBe('y')
  })
  it('cannot be given a nonce by a text in them', async () => {
    const documentFor = documentCache()
    let placeholder = ''
    await documentFor('/', 'first', async (nonce) => page((placeholder = nonce)))
    expect(placeholder).toMatch(/^[0-9a-f]{48}$/)
    expect(placeholder).not.toBe('first')
  })
  it.each([404, 500])('are not kept when they are a %i', async (status) => {
    const documentFor = documentCache()
    await documentFor('/', 'n', async () => page('old', status))
    expect(String((await documentFor('/', 'n', async () => page('new'))).html)).toBe('new')
  })
  it('are not kept when rendering failed', async () => {
    const documentFor = documentCache()
    await expect(documentFor('/', 'n', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(String((await documentFor('/', 'n', async () => page('whole'))).html)).toBe('whole')
  })
  it('take no more memory than 500 of them', async () => {
    const documentFor = documentCache()
    for (let n = 0; n < 600; n++) await documentFor(`/${n}`, 'n', async () => page('first'))
    expect(String((await documentFor('/0', 'n', async () => page('again'))).html)).toBe('again')
    expect(String((await documentFor('/599', 'n', async () => page('again'))).html)).toBe('first')
  })
})
