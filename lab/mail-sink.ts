import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Arrival {
  messageId: string
  /** ms, `performance.now()` */
  at: number
}

/** A mail server that accepts every mail; `messages` by recipient. While it holds, mails arrive but are not acknowledged. */
export async function mailSink() {
  const messages = new Map<string, Arrival[]>()
  let isHolding = false
  const held: (() => void)[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const messageId = /^message-id: *(\S+)/im.exec(Buffer.concat(chunks).toString())?.[1] ?? ''
        const arrival = { messageId, at: performance.now() }
        for (const { address } of session.envelope.rcptTo)
          messages.set(address, [...(messages.get(address) ?? []), arrival])
        if (isHolding) held.push(done)
        else done()
      })
    },
  })
  // killed instances do not close their connections
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const hold = (holds: boolean) => {
    isHolding = holds
    if (!holds) for (const done of held.splice(0)) done()
  }
  return { messages, port, hold, held: () => held.length, close: () => new Promise<void>((done) => server.close(done)) }
}
