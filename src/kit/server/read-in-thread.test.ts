import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { read } from '../../../test/odd-reader.ts'
import { readInThread } from './read-in-thread.ts'
import { readJson } from './read-json.ts'
import { UnreadableFile } from './unreadable-file.ts'

const odd = new URL('../../../test/odd-reader.ts', import.meta.url)
const bytes = new TextEncoder().encode('Grüezi')
const reading = (options: Parameters<typeof read>[1], maxS?: number) =>
  readInThread(odd, { bytes, options, ...(maxS === undefined ? {} : { maxS }) })
const refused = (asked: Promise<unknown>): Promise<UnreadableFile> =>
  asked.then(
    () => Promise.reject(new Error('It was read.')),
    (error: unknown) => (error instanceof UnreadableFile ? error : Promise.reject(error as Error)),
  )

it('a thread returns the result of its reader', async () => {
  expect(await reading('read')).toEqual({ text: 'Grüezi', at: new Map([['line', 1]]) })
  // the caller can still use the bytes
  expect(bytes).toHaveLength(7)
})

it('a refusal of a reader arrives with its message', async () => {
  const { message, text, cause } = await refused(reading('refuse'))
  expect({ message, text, cause }).toEqual({
    message: 'The file is odd.',
    text: { key: 'odd', values: { text: 'Grüezi' } },
    cause: undefined,
  })
})

it('a file that takes too long is refused, and this process goes on meanwhile', async () => {
  const slow = refused(reading('loop', 0.2))
  expect(await Promise.race([slow, pause(1, 'something else')])).toBe('something else')
  expect((await slow).text).toEqual({ key: 'fileTooSlow', values: { max: 0.2 } })
})

it('a file that fills the memory of the thread is refused', async () => {
  expect((await refused(reading('fill memory', 60))).text).toEqual({ key: 'fileTooMuchMemory' })
})

it('a file that makes its reader crash is refused with a sentence, and the stack is there for the log', async () => {
  const { message, text, cause } = await refused(reading('break'))
  expect(message).toBe('The file cannot be read. Export it again, or in another format.')
  expect(text).toEqual({ key: 'fileBroken' })
  expect(cause).toEqual({ name: 'TypeError', stack: expect.stringMatching(/^\s*at read .*odd-reader\.ts/) })
})

it('a thread that ends by itself is an unexpected error', async () => {
  await expect(reading('end')).rejects.toThrow('The reading thread ended by itself (3).')
})

it.each([
  ['[{"a":1},{"a":"[{,"}]', undefined],
  ['{"a"\n:\n1,\n}', 'The file is not valid JSON: line 4 has a mistake.'],
  ['[x]', /^The file is not valid JSON\.$/],
  ['[1', 'The file ends too early: its JSON is incomplete. Export it again.'],
  ['', 'The file ends too early: its JSON is incomplete. Export it again.'],
])('the JSON %j is read, or refused without the message of the engine', (text, message) => {
  if (message === undefined) expect(readJson(text)).toEqual(JSON.parse(text))
  else expect(() => readJson(text)).toThrow(message)
})

it.each(['[', '{},', '[],', '{"":['])('ten megabytes of %j are refused before they are parsed', (part) => {
  expect(() => readJson(part.repeat((10 * 2 ** 20) / part.length))).toThrow('too much memory')
})
