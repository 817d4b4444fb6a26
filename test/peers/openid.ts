import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface OpenIdPerson {
  sub: string
  email: string
  email_verified: boolean
  name: string
}

const aLongTimeS = 50 * 365 * 24 * 3600

/**
 * An OpenID provider on this machine with the whole protocol, in place of Google. Every browser is logged in as `person` and agrees to
 * everything.
 */
export async function startOpenIdPeer(client: { id: string; secret: string }) {
  let provider: Provider | null = null
  let person: OpenIdPerson | null = null
  let signsFor: string | null = null
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function handle(request: IncomingMessage, response: ServerResponse) {
    if (!provider) return void response.writeHead(503).end()
    if (request.url === '/token' && signsFor !== null) return void forgeToken(request, response, signsFor)
    if (!request.url!.startsWith('/interaction/')) return void provider.callback()(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: person!.sub, clientId: String(params['client_id']) })
    grant.addOIDCScope(String(params['scope']))
    const result = { login: { accountId: person!.sub }, consent: { grantId: await grant.save() } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }

  /** Replaces the person in the ID token of an answer, without changing its signature. */
  async function forgeToken(request: IncomingMessage, response: ServerResponse, sub: string) {
    const end = response.end.bind(response)
    response.end = ((body: Buffer | string) => {
      const answer = JSON.parse(String(body)) as { id_token: string }
      const [head, claims, signature] = answer.id_token.split('.')
      const original = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as object
      const forged = Buffer.from(JSON.stringify({ ...original, sub })).toString('base64url')
      const changed = JSON.stringify({ ...answer, id_token: [head, forged, signature].join('.') })
      response.setHeader('content-length', Buffer.byteLength(changed))
      return end(changed)
    }) as typeof response.end
    await provider!.callback()(request, response)
  }

  return {
    issuer,
    /** Sets the origin of the site, which is known only when it has started. */
    register(redirectUri: string) {
      provider = new Provider(issuer, {
        clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
        cookies: { keys: ['peer'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        conformIdTokenClaims: false,
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
        findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...person! }) }),
        pkce: { required: () => true },
        // their expiry is by the clock of the tests, but browsers use the machine's
        ttl: { Interaction: aLongTimeS, Session: aLongTimeS },
      })
      provider.on('server_error', (_ctx, error) => console.error(error))
    },
    /** Forges the person of ID tokens from now on; null: stops. */
    forges(sub: string | null) {
      signsFor = sub
    },
    /** Logs in another person. */
    is(who: OpenIdPerson) {
      person = who
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Follows redirects from `address`, with cookies like a browser, until `isThere`. Returns the last address. */
export async function browse(
  address: string,
  isThere: (url: URL) => boolean,
): Promise<{ url: URL; trail: URL[]; jar: Map<string, string> }> {
  const jar = new Map<string, string>()
  const trail: URL[] = []
  let url = new URL(address)
  for (let step = 0; step < 20; step++) {
    trail.push(url)
    if (isThere(url)) return { url, trail, jar }
    const cookies = [...jar]
      .filter(([key]) => key.startsWith(`${url.host} `))
      .map(([key, value]) => `${key.split(' ')[1]}=${value}`)
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: cookies.length > 0 ? { cookie: cookies.join('; ') } : {},
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1)[0]!.split(/=(.*)/s)
      jar.set(`${url.host} ${name}`, value)
    }
    const location = answer.headers.get('location')
    if (!location) throw new Error(`${url.href} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
    url = new URL(location, url)
  }
  throw new Error('too many redirects')
}
