import { onTestFinished, vi } from 'vitest'

export interface StreamMessage {
  id: string
  event: string
  // untyped: each story checks the values
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any
}

export interface TestStream {
  status: number
  headers: Headers
  messages: StreamMessage[]
  /** All `changes` so far, in one list. */
  changes(): { channel: string; kind: string; data: Record<string, unknown> }[]
  /** True when the server has ended the stream properly. */
  isOver(): 'no' | 'whole' | 'broken'
  close(): void
}

/** Opens a stream of server-sent events like a browser, until the end of the test. Resolves at its first message. */
export async function openStream(
  app: { url: string },
  channels: string,
  { token, lastEventId }: { token?: string; lastEventId?: string } = {},
): Promise<TestStream> {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const response = await fetch(`${app.url}/api/stream${channels ? `?channels=${channels}` : ''}`, {
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
    },
    signal: stop.signal,
  })
  const messages: StreamMessage[] = []
  let over: ReturnType<TestStream['isOver']> = 'no'
  const read = async () => {
    let rest = ''
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + piece).split('\n\n')
      rest = blocks.pop()!
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        const data = field('data')
        if (data) messages.push({ id: field('id')!, event: field('event')!, data: JSON.parse(data) })
      }
    }
  }
  void read().then(
    () => (over = 'whole'),
    () => (over = 'broken'),
  )
  if (response.ok) await vi.waitFor(() => messages.length > 0 || Promise.reject(new Error('nothing yet')), 90_000)
  return {
    status: response.status,
    headers: response.headers,
    messages,
    changes: () => messages.filter(({ event }) => event === 'changes').flatMap(({ data }) => data),
    isOver: () => over,
    close: () => stop.abort(),
  }
}
