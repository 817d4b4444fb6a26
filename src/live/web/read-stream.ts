export interface StreamMessage {
  id: string
  event: string
  data: string
}

/** The messages of our server's streams: one line each for `id`, `event` and `data`. A heartbeat (`:`) or any other block is null. */
export async function* readStream(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamMessage | null> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let rest = ''; ;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, id, event, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? []
      yield id && event && data ? { id, event, data } : null
    }
  }
}
