import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A server on this machine that publishes and subscribes as Redis 6 and Valkey do (RESP 3), at an address that stays while it
 * goes and comes. Ends with the test, or by `stop` where all tests of a file share it.
 */
export async function startRedisPeer({ password }: { password?: string } = {}) {
  const peer = await openRedisPeer({ password })
  onTestFinished(() => peer.stop())
  return peer
}

export async function openRedisPeer({ password }: { password?: string | undefined } = {}) {
  const connected = new Map<Socket, { channels: Set<string>; isIn: boolean }>()
  const published: { channel: string; payload: string }[] = []
  const unanswered: (() => void)[] = []
  let isHanging = false
  let server: Server | null = null
  let port = 0

  const isPassword = (words: string[]) => !password || words.at(-1) === password
  const commands: Record<string, (socket: Socket, words: string[]) => string> = {
    hello(socket, [version, ...rest]) {
      if (version !== '3') return '-NOPROTO sorry, this protocol version is not supported\r\n'
      const isIn = rest[0]?.toLowerCase() === 'auth' ? isPassword(rest) : !password
      if (!isIn) return '-WRONGPASS invalid username-password pair or user is disabled.\r\n'
      connected.get(socket)!.isIn = true
      return `%2\r\n${text('server')}${text('redis')}${text('proto')}:3\r\n`
    },
    ping: () => '+PONG\r\n',
    client: () => '+OK\r\n',
    subscribe(socket, [channel]) {
      connected.get(socket)!.channels.add(channel!)
      return `>3\r\n${text('subscribe')}${text(channel!)}:1\r\n`
    },
    publish(_socket, [channel, payload]) {
      published.push({ channel: channel!, payload: payload! })
      const reached = [...connected].filter(([, { channels }]) => channels.has(channel!))
      for (const [socket] of reached) socket.write(`>3\r\n${text('message')}${text(channel!)}${text(payload!)}`)
      return `:${reached.length}\r\n`
    },
  }
  const answer = (socket: Socket, [name = '', ...words]: string[]) => {
    const command = commands[name.toLowerCase()]
    if (!command) return `-ERR unknown command '${name}'\r\n`
    if (name.toLowerCase() !== 'hello' && !connected.get(socket)!.isIn) return '-NOAUTH Authentication required.\r\n'
    return command(socket, words)
  }
  const serve = (socket: Socket) => {
    connected.set(socket, { channels: new Set(), isIn: !password })
    socket.on('error', () => {})
    socket.on('close', () => connected.delete(socket))
    let rest = ''
    socket.setEncoding('utf8').on('data', (piece: string) => {
      rest += piece
      for (let read; (read = commandIn(rest)); rest = rest.slice(read.length)) {
        const { words } = read
        const reply = () => void (socket.writable && socket.write(answer(socket, words)))
        if (isHanging) unanswered.push(reply)
        else reply()
      }
    })
  }
  const start = async () => {
    server = createServer(serve).listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as { port: number }).port
  }
  await start()
  return {
    url: `redis://${password ? `:${password}@` : ''}127.0.0.1:${port}`,
    /** All calls so far. */
    published,
    /** Connections that hear of what is published. */
    subscribers: () => [...connected.values()].filter(({ channels }) => channels.size > 0).length,
    /** Comes again, at the same address; nothing is remembered of before. */
    start,
    /** As its death: connections are cut, and nobody listens. */
    async stop() {
      if (!server) return
      const over = once(server, 'close')
      server.close()
      server = null
      for (const socket of connected.keys()) socket.destroy()
      await over
    },
    /** Takes connections and commands, and answers nothing until `letGo`. */
    hang: () => void (isHanging = true),
    letGo() {
      isHanging = false
      for (const reply of unanswered.splice(0)) reply()
    },
  }
}

const text = (value: string) => `$${Buffer.byteLength(value)}\r\n${value}\r\n`

/** The first command of what has come, an array of plain ASCII words; null: it is incomplete. */
function commandIn(come: string): { words: string[]; length: number } | null {
  const head = /^\*(\d+)\r\n/.exec(come)
  if (!head) return null
  let length = head[0].length
  const words: string[] = []
  for (let n = 0; n < Number(head[1]); n++) {
    const size = /^\$(\d+)\r\n/.exec(come.slice(length))
    if (!size) return null
    const from = length + size[0].length
    const to = from + Number(size[1])
    if (come.length < to + 2) return null
    words.push(come.slice(from, to))
    length = to + 2
  }
  return { words, length }
}
