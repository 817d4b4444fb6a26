import { UnreadableFile } from '../src/kit/server/unreadable-file.ts'

/** A reader that fails as `does` says; `read-in-thread.test.ts` runs it in a thread. */
export function read(bytes: Uint8Array, does: 'read' | 'refuse' | 'break' | 'loop' | 'fill memory' | 'end'): unknown {
  const text = new TextDecoder().decode(bytes)
  if (does === 'read') return { text, at: new Map([['line', 1]]) }
  if (does === 'refuse') throw new UnreadableFile('The file is odd.', { key: 'odd', values: { text } })
  if (does === 'break') return (JSON.parse('null') as { text: string }).text
  if (does === 'end') process.exit(3)
  const filling: object[] = []
  for (let n = 0; ; n++) if (does === 'fill memory') filling.push({ n })
}
