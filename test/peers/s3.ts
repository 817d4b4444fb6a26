import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A bucket on this machine that checks every signature (AWS Signature Version 4), unlike most stand-ins. */
export async function startS3Peer(keys: { accessKeyId: string; secretAccessKey: string; region: string }) {
  const objects = new Map<string, { bytes: Buffer; type: string }>()
  const refused: string[] = []
  const unanswered: string[] = []
  let hangs = false
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (hangs) return void unanswered.push(request.method!)
    const fault = signatureFault(request, body, keys)
    if (fault) {
      refused.push(fault)
      response.writeHead(403, { 'content-type': 'application/xml' })
      return response.end('<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>')
    }
    const { pathname, searchParams } = new URL(request.url!, 'http://s3')
    const path = decodeURIComponent(pathname)
    if (request.method === 'GET' && searchParams.get('list-type') === '2') {
      const bucket = `${path.replace(/\/$/, '')}/`
      const keys = [...objects.keys()].filter((key) => key.startsWith(bucket + (searchParams.get('prefix') ?? '')))
      const contents = keys.map((key) => `<Contents><Key>${key.slice(bucket.length)}</Key><Size>1</Size></Contents>`)
      return response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(`<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`)
    }
    const stored = objects.get(path)
    if (request.method === 'PUT') {
      objects.set(path, { bytes: body, type: String(request.headers['content-type']) })
      return response.writeHead(200, { etag: '"1"' }).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(path)
      return response.writeHead(204).end()
    }
    if (!stored) {
      response.writeHead(404, { 'content-type': 'application/xml' })
      return response.end('<Error><Code>NoSuchKey</Code><Message>none</Message></Error>')
    }
    return response
      .writeHead(200, { 'content-type': stored.type })
      .end(request.method === 'HEAD' ? undefined : stored.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    /** Reasons of refused requests. */
    refused,
    /** Accepts connections without answering from now on, or answers again. */
    hang(isHanging = true) {
      hangs = isHanging
    },
    /** Methods of requests without an answer. */
    unanswered,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The fault of a request's signature; null: it is valid. */
function signatureFault(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey, region }: { accessKeyId: string; secretAccessKey: string; region: string },
): string | null {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (!match) return 'no signature'
  const [, id, day, signedRegion, names, signature] = match as unknown as string[]
  if (id !== accessKeyId) return 'another key id'
  if (signedRegion !== region) return 'another region'
  const date = String(request.headers['x-amz-date'])
  if (!date.startsWith(day!)) return 'another day'
  const age = Math.abs(
    Date.now() - Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')),
  )
  if (!(age < 15 * 60_000)) return 'too old'
  const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
  const payload = String(request.headers['x-amz-content-sha256'])
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== hash(body)) return 'another body'
  const signed = names!.split(';')
  for (const needed of ['host', 'x-amz-date', 'x-amz-content-sha256'])
    if (!signed.includes(needed)) return `${needed} is not signed`
  const url = new URL(request.url!, 'http://s3')
  const query = [...url.searchParams]
    .map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(v)}`)
    .sort()
    .join('&')
  const headers = signed.map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}\n`).join('')
  const canonical = [request.method, url.pathname, query, headers, names, payload].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = mac(mac(mac(mac(`AWS4${secretAccessKey}`, day!), region), 's3'), 'aws4_request')
  const expected = mac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash(canonical)}`)
  return timingSafeEqual(expected, Buffer.from(signature!, 'hex')) ? null : 'another signature'
}
