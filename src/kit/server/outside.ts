import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Parts that tests replace: resolving host names, and internal addresses that are allowed. */
export interface OutsideParts {
  resolve: (host: string) => Promise<{ address: string; family: number }[]>
  isAllowed: (address: string, port: number) => boolean
}

/**
 * The only way to fetch an address that a user typed. The host name is resolved once, all of its addresses must be public, and the
 * connection goes to one of these addresses. Redirects are not followed, unless `followsOnce` says so.
 */
export interface Outside {
  /** `internal`: not http(s), or in the server's own network. `unknown`: the name cannot be resolved now. */
  look(url: string): Promise<'outside' | 'internal' | 'unknown'>
  /** @throws NotFetched unless the answer is a complete 200 of at most `maxBytes` */
  fetch(url: string, limits: FetchLimits): Promise<Uint8Array>
  /** Reads only the head of the answer. @throws NotFetched without an answer */
  post(
    url: string,
    sent: { headers: Record<string, string | number>; body: Uint8Array },
    limits: { timeoutMs: number },
  ): Promise<{ status: number; retryAfter: string | null }>
}

export interface FetchLimits {
  maxBytes: number
  /** For the whole answer, a redirect included. */
  timeoutMs: number
  /** Header `Accept`. Default: pictures. */
  accept?: string
  /** Header `User-Agent`. Default: that of pictures. */
  userAgent?: string
  /** Follows one redirect to the same host, and never from https to http. */
  followsOnce?: boolean
}

/**
 * `message`: `internal`, `unknown`, `status 404`, `too large`, `too slow`, `cut off`, `other host` for a redirect, or the name of the
 * connection's error.
 */
export class NotFetched extends Error {}

/** Short, because a person's save waits for it. */
const resolveTimeoutMs = 2_000

/** Special-purpose addresses (IANA registries of IPv4 and IPv6, RFC 6890), and addresses mapped or tunnelled to them. */
const internal = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  internal.addSubnet(network, bits, 'ipv4')
// of IPv6 only global unicast is public, except the special networks below
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  internal.addSubnet(network, bits, 'ipv6')

function isPublic(address: string): boolean {
  if (!isIPv6(address)) return isIP(address) === 4 && !internal.check(address, 'ipv4')
  return global.check(address, 'ipv6') && !internal.check(address, 'ipv6')
}

interface Target {
  url: URL
  addresses: { address: string; family: number }[]
}

export function openOutside(given: Partial<OutsideParts> = {}): Outside {
  const parts: OutsideParts = { resolve: (host) => lookup(host, { all: true }), isAllowed: () => false, ...given }

  async function find(text: string): Promise<Target | 'internal' | 'unknown'> {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return 'internal'
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
    const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolved(host)
    if (addresses.length === 0) return 'unknown'
    const mayBeAsked = ({ address }: { address: string }) => isPublic(address) || parts.isAllowed(address, port)
    return addresses.every(mayBeAsked) ? { url, addresses } : 'internal'
  }

  /** Empty without an answer in time. */
  async function resolved(host: string): Promise<Target['addresses']> {
    const late = new Promise<Target['addresses']>((done) => setTimeout(done, resolveTimeoutMs, []).unref())
    return Promise.race([parts.resolve(host).catch(() => []), late])
  }

  return {
    async look(text) {
      const found = await find(text)
      return typeof found === 'string' ? found : 'outside'
    },
    async fetch(text, { followsOnce = false, ...limits }) {
      const started = performance.now()
      const found = await find(text)
      if (typeof found === 'string') throw new NotFetched(found)
      const answer = await download(found, limits, followsOnce)
      if (answer instanceof Uint8Array) return answer
      if (answer.to?.host !== found.url.host || (found.url.protocol === 'https:' && answer.to.protocol !== 'https:'))
        throw new NotFetched('other host')
      const target = await find(answer.to.href)
      if (typeof target === 'string') throw new NotFetched(target)
      const timeoutMs = Math.max(1, Math.ceil(limits.timeoutMs - (performance.now() - started)))
      return (await download(target, { ...limits, timeoutMs }, false)) as Uint8Array
    },
    async post(text, sent, limits) {
      const found = await find(text)
      if (typeof found === 'string') throw new NotFetched(found)
      return send(found, sent, limits)
    },
  }
}

/** Connects to the checked addresses, even if the name resolves to others by now. */
const onlyTo = (addresses: Target['addresses']): RequestOptions => ({
  lookup: (_host, wanted, answer) => {
    if (wanted.all) answer(null, addresses)
    else answer(null, addresses[0]!.address, addresses[0]!.family)
  },
  agent: false,
})

/** The content, or with `seesRedirect` the address that a redirect leads to; null: one that cannot be read. */
function download(
  target: Target,
  { maxBytes, timeoutMs, accept = 'image/*', userAgent = 'PictureFetcher/1.0' }: FetchLimits,
  seesRedirect: boolean,
) {
  const headers = { accept, 'user-agent': userAgent }
  return ask<Uint8Array | { to: URL | null }>(target, { headers }, timeoutMs, (answer, done, fail) => {
    const { statusCode = 0, headers: said } = answer
    if (seesRedirect && [301, 302, 303, 307, 308].includes(statusCode)) {
      done({ to: URL.parse(said.location ?? '', target.url) })
      return answer.destroy()
    }
    if (statusCode !== 200) return fail(`status ${statusCode}`)
    if (Number(said['content-length'] ?? 0) > maxBytes) return fail('too large')
    const chunks: Buffer[] = []
    let size = 0
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) fail('too large')
      else chunks.push(chunk)
    })
    answer.on('end', () => done(Buffer.concat(chunks)))
    answer.on('error', () => fail('cut off'))
  })
}

function send(
  target: Target,
  { headers, body }: { headers: Record<string, string | number>; body: Uint8Array },
  { timeoutMs }: { timeoutMs: number },
) {
  const options = { method: 'POST', headers, body }
  return ask<{ status: number; retryAfter: string | null }>(target, options, timeoutMs, (answer, done) => {
    done({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] ?? null })
    answer.destroy()
  })
}

/** Sends a request. `onAnswer` settles the promise; errors after that are ignored. @throws NotFetched */
function ask<Result>(
  { url, addresses }: Target,
  { body, ...options }: RequestOptions & { body?: Uint8Array },
  timeoutMs: number,
  onAnswer: (answer: IncomingMessage, done: (result: Result) => void, fail: (reason: string) => void) => void,
) {
  return new Promise<Result>((done, failed) => {
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest
    const signal = AbortSignal.timeout(timeoutMs)
    const asked = request(url, { ...onlyTo(addresses), ...options, signal }, (answer) =>
      onAnswer(answer, done, (reason) => {
        asked.destroy()
        failed(new NotFetched(signal.aborted ? 'too slow' : reason))
      }),
    )
    asked.on('error', (error) => failed(new NotFetched(signal.aborted ? 'too slow' : error.name)))
    asked.end(body)
  })
}
