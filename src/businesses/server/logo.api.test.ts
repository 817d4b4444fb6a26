import { connect } from 'node:net'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { askDoctor } from '../../../test/doctor.ts'
import { startS3Peer } from '../../../test/peers/s3.ts'
import { withinAnswerTime } from '../../kit/server/answer-time.ts'
import { inLineOf } from '../../kit/server/fair-turns.ts'
import { createFileStore, newFileName, remakePicture } from '../../kit/server/uploads.ts'
import { aMerchant, get, goodPassword, signUpBusiness } from '../../../test/people.ts'
import { api, appForTest, startTestApp, type TestApp } from '../../../test/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
// the proof of work is tested elsewhere
beforeEach(() => app.db.deleteFrom('rate_limits').execute())
afterAll(() => app.close())

let n = 0
const address = () => `logo${n++}@example.org`
const file = (bytes: Uint8Array | string, type = 'image/png') => new File([bytes as BlobPart], 'logo.png', { type })
const upload = (bytes: Uint8Array | string, type?: string, on = app) =>
  signUpBusiness(on, { email: address(), logo: file(bytes, type) })

const photo = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c33' } })

/** A PNG whose header claims this size. */
function png(width: number, height: number, rows: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe('a logo', () => {
  it.each(['png', 'jpeg', 'webp'] as const)(
    'as %s is re-encoded: WebP, at most 512 px, no metadata',
    async (format) => {
      const original = await photo(1600, 900)
        .withExif({ IFD0: { Copyright: 'Secret Owner' }, IFD3: { GPSLatitude: '47/1 33/1 34/1' } })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">secret place</x:xmpmeta>')
        .toFormat(format)
        .toBuffer()
      const cafe = await aMerchant(app, address(), { logo: file(original, 'application/pdf') })
      const { logo_url } = (await get(app, `/api/business/${cafe.businessId}`)).body
      expect(logo_url).toMatch(/^\/uploads\/[0-9a-f-]{36}\.webp$/)
      const answer = await fetch(`${app.url}${logo_url}`)
      const bytes = Buffer.from(await answer.arrayBuffer())
      const { width, height, format: made, exif, xmp, icc, iptc } = await sharp(bytes).metadata()
      expect({ width, height, made }).toEqual({ width: 512, height: 288, made: 'webp' })
      expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined])
      expect(bytes.toString('latin1')).not.toMatch(/secret|Secret|GPS/)
      expect(answer.headers.get('content-type')).toBe('image/webp')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    },
  )
  it('is turned upright, and a small one stays small', async () => {
    const turned = await photo(40, 20).jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const cafe = await aMerchant(app, address(), { logo: file(turned) })
    const { logo_url } = (await get(app, `/api/business/${cafe.businessId}`)).body
    const { width, height } = await sharp(
      Buffer.from(await (await fetch(`${app.url}${logo_url}`)).arrayBuffer()),
    ).metadata()
    expect({ width, height }).toEqual({ width: 20, height: 40 })
  })
  it('may be missing, or an empty file part', async () => {
    const cafe = await aMerchant(app, address(), { logo: file('') })
    expect((await get(app, `/api/business/${cafe.businessId}`)).body.logo_url).toBeNull()
  })
})

describe('a file that is no valid picture', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>'
  const good = () => photo(64, 64).png().toBuffer()
  const kinds: Record<string, () => Promise<Uint8Array | string> | Uint8Array | string> = {
    text: () => 'just text',
    HTML: () => '<!doctype html><script>alert(1)</script>',
    SVG: () => svg,
    'SVG with a declaration': () => `<?xml version="1.0"?>${svg}`,
    'SVG that loads a file': () => '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    'SVG compressed': async () => (await import('node:zlib')).gzipSync(svg),
    GIF: () => photo(8, 8).gif().toBuffer(),
    TIFF: () => photo(8, 8).tiff().toBuffer(),
    AVIF: () => photo(8, 8).avif().toBuffer(),
    BMP: () => Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]),
    ICO: () => Buffer.from([0, 0, 1, 0, 1, 0, 16, 16]),
    PDF: () => '%PDF-1.7\n1 0 obj<<>>endobj',
    PostScript: () => '%!PS-Adobe-3.0 EPSF\n%%BoundingBox: 0 0 10 10\n',
    ZIP: () => Buffer.from('PK\x03\x04 and more', 'latin1'),
    'an executable': () => Buffer.from('\x7fELF\x02\x01\x01', 'latin1'),
    'ImageMagick MVG': () =>
      "push graphic-context\nviewbox 0 0 1 1\nfill 'url(https://evil.example/x)'\npop graphic-context",
    'a PHP file': () => '<?php system($_GET["c"]); ?>',
    'the beginning of a PNG': () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    'a PNG cut in the middle': async () => {
      const b = await sharp(Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, i) => (i * 7919) % 256)), {
        raw: { width: 300, height: 300, channels: 3 },
      })
        .png()
        .toBuffer()
      return b.subarray(0, b.length / 2)
    },
    'a JPEG cut in the middle': async () => {
      const b = await sharp(Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, i) => (i * 7919) % 256)), {
        raw: { width: 300, height: 300, channels: 3 },
      })
        .jpeg()
        .toBuffer()
      return b.subarray(0, b.length / 2)
    },
    'a WebP cut in the middle': async () => {
      const b = await photo(300, 300).webp({ lossless: true }).toBuffer()
      return b.subarray(0, b.length / 2)
    },
    'a JPEG of noise behind its marker': () =>
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500, 0x41)]),
    'a WebP of noise': () =>
      Buffer.concat([Buffer.from('RIFF\xff\xff\0\0WEBPVP8 ', 'latin1'), Buffer.alloc(100, 0x41)]),
    'a PNG with a broken sum': async () => {
      const b = Buffer.from(await good())
      b[20] = b[20]! ^ 0xff
      return b
    },
    'a PNG of zero width': () => png(0, 10, Buffer.alloc(10)),
    'a PNG of a billion pixels wide': () => png(1_000_000_000, 1, Buffer.alloc(100)),
    zeros: () => Buffer.alloc(10_000),
    'a byte': () => Buffer.from([0x89]),
    'UTF-16 text': () => Buffer.from('\ufeffhello', 'utf16le'),
  }
  it.each(Object.keys(kinds))('%s is refused', async (kind) => {
    const bytes = await kinds[kind]!()
    const answer = await upload(bytes)
    expect(answer).toMatchObject({
      status: 422,
      body: {
        error: 'Logo must be an image file.',
        code: 'logo_no_image',
        fields: { logo: 'This file is not a PNG, JPEG or WebP picture, or it is damaged.' },
      },
    })
  })
  const large: Record<string, () => Promise<Uint8Array> | Uint8Array> = {
    'a PNG of 400 megapixels in 50 kB': () => png(20_000, 20_000, Buffer.alloc(20_000 * 2501)),
    'a PNG that claims 900': () => png(30_000, 30_000, Buffer.alloc(100)),
    'a WebP of 26 megapixels': () => photo(10_000, 2600).webp({ effort: 0 }).toBuffer(),
    'a JPEG of one pixel more than 25 megapixels': () => photo(5001, 5000).jpeg().toBuffer(),
  }
  it.each(Object.keys(large))('%s is refused for too many pixels', async (kind) => {
    const bytes = await large[kind]!()
    expect(await upload(bytes)).toMatchObject({
      status: 422,
      body: {
        error: 'This picture is too large: at most 25 megapixels.',
        code: 'logo_too_many_pixels',
        fields: { logo: 'This picture is too large: at most 25 megapixels.' },
      },
    })
  })
  it('a picture with other data behind or inside it is stored as pixels alone', async () => {
    const payload = '<script>alert(document.domain)</script>'
    const tail = Buffer.concat([await good(), Buffer.from(payload)])
    const jpegComment = Buffer.concat([await photo(30, 30).jpeg().toBuffer(), Buffer.from(`PK\x03\x04${payload}`)])
    const animated = await sharp([await good(), await good()], { join: { animated: true } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer()
    for (const bytes of [tail, jpegComment, animated]) {
      const cafe = await aMerchant(app, address(), { logo: file(bytes, 'text/html') })
      const { logo_url } = (await get(app, `/api/business/${cafe.businessId}`)).body
      const served = await fetch(`${app.url}${logo_url}`)
      const made = Buffer.from(await served.arrayBuffer())
      expect(made.toString('latin1')).not.toContain('script')
      expect((await sharp(made).metadata()).pages ?? 1).toBe(1)
    }
  })
  it('beyond 5 MB is a 413', async () => {
    expect((await upload(Buffer.alloc(5 * 1024 * 1024 + 1, 0x41))).status).toBe(413)
    expect((await upload(Buffer.alloc(20 * 1024 * 1024, 0x41))).status).toBe(413)
    expect((await get(app, '/api/business')).status).toBe(200)
  })
  it('leaves no business and no file behind', async () => {
    const files = () => readdirSync(join(app.dataDir, 'uploads')).length
    const before = files()
    const email = address()
    expect((await signUpBusiness(app, { email, logo: file('no picture') })).status).toBe(422)
    expect((await signUpBusiness(app, { email, logo: file(await good()), password: 'password' })).status).toBe(400)
    expect(await app.db.selectFrom('businesses').select('business_id').where('email', '=', email).execute()).toEqual([])
    // the file is deleted after the answer
    await expect.poll(files).toBe(before)
  })
  it('takes little memory: thirty at once', async () => {
    const bomb = png(20_000, 20_000, Buffer.alloc(20_000 * 2501))
    const large = await photo(5000, 5000).png().toBuffer()
    const thirty = () =>
      Promise.all([
        ...Array.from({ length: 26 }, () => upload(bomb)),
        ...Array.from({ length: 4 }, () => upload(large)),
      ])
    // the first picture loads the libraries, and the heap grows once
    await thirty()
    await app.db.deleteFrom('rate_limits').execute()
    const before = process.memoryUsage.rss()
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
    const answers = await thirty()
    clearInterval(watch)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422, 201]))
    console.info(`uploads: +${Math.round((peak - before) / 1e6)} MB at the peak`)
    expect(peak - before).toBeLessThan(150e6)
  })
})

describe('a broken form', () => {
  const head = (boundary = 'XX') => ({ 'content-type': `multipart/form-data; boundary=${boundary}` })
  const part = (name: string, value: string) =>
    `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const fields = part('business_name', 'Bar') + part('email', 'form@example.org') + part('password', goodPassword)
  const forms: Record<string, [Record<string, string>, string | Buffer]> = {
    'without a boundary': [{ 'content-type': 'multipart/form-data' }, fields],
    'with an empty boundary': [{ 'content-type': 'multipart/form-data; boundary=' }, fields],
    'with another boundary': [head('YY'), `${fields}--XX--\r\n`],
    'that never ends': [head(), fields],
    'cut in a header': [head(), `${fields}--XX\r\nContent-Disposition: form-d`],
    'without any part': [head(), '--XX--\r\n'],
    'with nothing at all': [head(), ''],
    'without a name': [head(), '--XX\r\nContent-Disposition: form-data\r\n\r\nx\r\n--XX--\r\n'],
    'with a field twice': [head(), `${fields}${part('email', 'two@example.org')}--XX--\r\n`],
    'with a thousand parts': [head(), `${part('x', 'y').repeat(1000)}--XX--\r\n`],
    'with a name of 10 kB': [head(), `${part('n'.repeat(10_000), 'y')}--XX--\r\n`],
    'with a hundred headers in a part': [
      head(),
      `--XX\r\nContent-Disposition: form-data; name="email"\r\n${'X-A: b\r\n'.repeat(100)}\r\nx\r\n--XX--\r\n`,
    ],
    'with text that is no UTF-8': [
      head(),
      Buffer.concat([
        Buffer.from(`${fields}--XX\r\nContent-Disposition: form-data; name="address"\r\n\r\n`),
        Buffer.from([0xff, 0xfe, 0xc3]),
        Buffer.from('\r\n--XX--\r\n'),
      ]),
    ],
    'with NUL in a field': [
      head(),
      `${part('business_name', 'a\0b')}${part('email', 'f@example.org')}${part('password', goodPassword)}--XX--\r\n`,
    ],
    'with a field of 100 kB': [head(), `${fields}${part('address', 'x'.repeat(100_000))}--XX--\r\n`],
    'with __proto__': [head(), `${fields}${part('__proto__', 'x')}--XX--\r\n`],
    'with an unknown encoding': [
      head(),
      `--XX\r\nContent-Disposition: form-data; name="email"\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!\r\n--XX--\r\n`,
    ],
    nested: [
      head(),
      `--XX\r\nContent-Disposition: form-data; name="email"\r\nContent-Type: multipart/mixed; boundary=ZZ\r\n\r\n--ZZ\r\n\r\nx\r\n--ZZ--\r\n--XX--\r\n`,
    ],
    'that is urlencoded': [{ 'content-type': 'application/x-www-form-urlencoded' }, 'business_name=Bar'],
    'that is text': [{ 'content-type': 'text/plain' }, 'hello'],
    'that is multipart of another kind': [{ 'content-type': 'multipart/mixed; boundary=XX' }, fields],
    'with a boundary of 1000 letters': [head('b'.repeat(1000)), fields],
  }
  it.each(Object.keys(forms))('%s is refused', async (kind) => {
    const [headers, body] = forms[kind]!
    const answer = await api(app, '/api/business/signup', { method: 'POST', headers, body: body as BodyInit })
    expect([400, 413, 415], `${answer.status} ${answer.text}`).toContain(answer.status)
    expect(answer.body.error.length).toBeGreaterThan(5)
    expect(answer.text).not.toMatch(/busboy|multipart:|node_modules|boundary/i)
  })
  it('that the sender breaks off does no harm', async () => {
    const { hostname, port } = new URL(app.url)
    for (let n = 0; n < 10; n++) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.write(
        `POST /api/business/signup HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=XX\r\ncontent-length: 5000\r\n\r\n${fields}`,
      )
      await new Promise((resolve) => setImmediate(resolve))
      socket.destroy()
    }
    expect((await get(app, '/readyz')).status).toBe(200)
  })
  it('sent to a JSON endpoint gets a 415', async () => {
    const form = new FormData()
    form.set('email', 'a@b.ch')
    expect((await api(app, '/api/auth/login', { method: 'POST', body: form })).status).toBe(415)
  })
  it('as JSON with the same fields works too', async () => {
    const body = JSON.stringify({ business_name: 'JSON Bar', email: 'json@example.org', password: goodPassword })
    const answer = await api(app, '/api/business/signup', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(answer).toMatchObject({
      status: 201,
      body: { message: 'Account created! Please check your email for verification.' },
    })
  })
})

describe('served uploads', () => {
  it.each([
    '/uploads/../secrets/key',
    '/uploads/..%2fsecrets%2fkey',
    '/uploads/x.webp',
    '/uploads/',
    '/uploads/%00.webp',
    '/uploads/00000000-0000-0000-0000-000000000000.webp',
  ])('%s is a 404', async (path) => {
    expect((await api(app, path)).status).toBe(404)
  })
  it('that are gone are replaced by a drawn picture in pages', async () => {
    const headers = { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }
    const gone = await fetch(`${app.url}/uploads/0190a000-0000-7000-8000-000000000000.webp`, { headers })
    expect(gone.status).toBe(404)
    expect(gone.headers.get('content-type')).toContain('image/svg+xml')
    expect(gone.headers.get('cache-control')).toBe('no-store')
    expect(await gone.text()).toMatch(/^<svg /)
  })
})

describe('a folder that cannot be written', () => {
  it('gets a 503, and no business and no account is left behind', async () => {
    const tests = await appForTest()
    rmSync(join(tests.dataDir, 'uploads'), { recursive: true, force: true })
    writeFileSync(join(tests.dataDir, 'uploads'), 'in the way')
    const logo = file(await photo(20, 20).png().toBuffer())
    const answer = await signUpBusiness(tests, { email: 'full@example.org', logo })
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(answer.headers.get('retry-after')).toBe('2')
    expect(await tests.db.selectFrom('accounts').select('email').execute()).toEqual([])
    expect((await signUpBusiness(tests, { email: 'full@example.org' })).status).toBe(201)
    // pages show no broken picture in the meantime
    const headers = { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' }
    const away = await fetch(`${tests.url}/uploads/0190a000-0000-7000-8000-000000000000.webp`, { headers })
    expect([away.status, away.headers.get('content-type')]).toEqual([503, 'image/svg+xml'])
  })
})

describe('with a bucket', () => {
  const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret with / and + in it', region: 'eu-central-2' }
  const env = (endpoint: string, secret = keys.secretAccessKey) => ({
    S3_ENDPOINT: endpoint,
    S3_REGION: keys.region,
    S3_BUCKET: 'festival',
    S3_ACCESS_KEY_ID: keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: secret,
  })
  it('logos are stored there with signed requests, and served by the app', async () => {
    const bucket = await startS3Peer(keys)
    const tests = await appForTest({ env: env(bucket.endpoint) })
    const cafe = await aMerchant(tests, address(), { logo: file(await photo(30, 30).png().toBuffer()) })
    const { logo_url } = (await get(tests, `/api/business/${cafe.businessId}`)).body
    expect([...bucket.objects.keys()]).toEqual([`/festival${logo_url}`])
    expect(bucket.objects.get(`/festival${logo_url}`)!.type).toBe('image/webp')
    const served = await fetch(`${tests.url}${logo_url}`)
    expect(served.headers.get('content-type')).toBe('image/webp')
    expect((await sharp(Buffer.from(await served.arrayBuffer())).metadata()).width).toBe(30)
    expect(bucket.refused).toEqual([])
    expect((await api(tests, '/uploads/00000000-0000-0000-0000-000000000000.webp')).status).toBe(404)
    // a signup with a taken email leaves no file
    expect(
      (await signUpBusiness(tests, { email: cafe.email, logo: file(await photo(30, 30).png().toBuffer()) })).status,
    ).toBe(201)
    // its logo is deleted after the answer
    await vi.waitFor(() => expect(bucket.objects.size).toBe(1), 90_000)
    await bucket.close()
  })
  it('a wrong secret makes the signup fail', async () => {
    const bucket = await startS3Peer(keys)
    const tests = await appForTest({ env: env(bucket.endpoint, 'another secret') })
    const answer = await upload(await photo(30, 30).png().toBuffer(), 'image/png', tests)
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(bucket.refused).toContain('another signature')
    expect(await tests.db.selectFrom('accounts').select('email').execute()).toEqual([])
    await bucket.close()
  })
  it('the doctor writes, reads and removes a file, and explains a wrong key or a bucket that hangs', async () => {
    const bucket = await startS3Peer(keys)
    const tests = await appForTest()
    const doctor = (secret?: string) =>
      askDoctor({
        DATABASE_URL: tests.databaseUrl,
        DATA_DIR: tests.dataDir,
        ...env(bucket.endpoint, secret),
        // the bucket refuses a signature of another day
        NODE_OPTIONS: `--import=${resolve('test/set-up/clock.ts')}`,
      })
    const bucketAt = `Bucket festival at ${bucket.endpoint}`
    expect(await doctor()).toContain(`✓ ${bucketAt}: can be written and read\n`)
    expect(bucket.objects.size).toBe(0)
    expect(await doctor('another secret')).toContain(`✗ ${bucketAt}: `)
    bucket.hang()
    expect(await doctor()).toContain(`✗ ${bucketAt}: `)
    await bucket.close()
  })
  it('that hangs: every request gets a 503, and the clean-up delays none', async () => {
    const bucket = await startS3Peer(keys)
    const tests = await appForTest({ env: env(bucket.endpoint) })
    const picture = await photo(30, 30).png().toBuffer()
    const cafe = await aMerchant(tests, address(), { logo: file(picture) })
    const { logo_url } = (await get(tests, `/api/business/${cafe.businessId}`)).body
    bucket.hang()
    const answers = await Promise.all([fetch(`${tests.url}${logo_url}`), upload(picture, 'image/png', tests)])
    for (const { status, headers } of answers)
      expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '2' })
    expect(await tests.db.selectFrom('accounts').select('email').execute()).toHaveLength(1)
    // a file that may have been written is deleted
    await vi.waitFor(() => expect(bucket.unanswered.toSorted()).toEqual(['DELETE', 'GET', 'PUT']), 90_000)
    await bucket.close()
  })
  it('that hangs is given up when the time of the request is over', async () => {
    const bucket = await startS3Peer(keys)
    bucket.hang()
    const files = createFileStore({ folder: '', s3: { endpoint: bucket.endpoint, bucket: 'festival', ...keys } })
    const put = (spentMs: number) =>
      withinAnswerTime(() => files.put(newFileName(), Buffer.from('a picture')), spentMs).catch(() => spentMs)
    // the second request has used most of its time before, for example for decoding
    const [fresh, late] = [put(0), put(3_000)]
    expect(await Promise.race([fresh, late])).toBe(3_000)
    expect(await fresh).toBe(0)
    await bucket.close()
  })
  it('that is unreachable: 503 with Retry-After, and no account without its logo', async () => {
    const bucket = await startS3Peer(keys)
    const tests = await appForTest({ env: env(bucket.endpoint) })
    const { logo_url } = (
      await get(
        tests,
        `/api/business/${(await aMerchant(tests, address(), { logo: file(await photo(30, 30).png().toBuffer()) })).businessId}`,
      )
    ).body
    await bucket.close()
    for (const answer of [
      await fetch(`${tests.url}${logo_url}`),
      await upload(await photo(30, 30).png().toBuffer(), 'image/png', tests),
    ]) {
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await tests.db.selectFrom('accounts').select('email').execute()).toHaveLength(1)
  })
})

it('a photo does not wait for many large pictures from another address', async () => {
  const large = await photo(5000, 5000).png().toBuffer()
  const small = await photo(1600, 1200).jpeg().toBuffer()
  const done: string[] = []
  const remade = (address: string, picture: Buffer) =>
    inLineOf(address, () => remakePicture(picture, { maxSide: 512 })).then(() => done.push(address))
  await Promise.all([...Array.from({ length: 6 }, () => remade('many', large)), remade('one', small)])
  expect(done).toHaveLength(7)
  // two large pictures are under way before it, and one more has its turn before
  expect(done.indexOf('one')).toBeLessThan(4)
})

it('if there are too many pictures to re-encode in time, the surplus is refused with a retry', async () => {
  const picture = await photo(1200, 1200).png().toBuffer()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 120 }, (_, n) => inLineOf(`${n % 3}`, () => remakePicture(picture, { maxSide: 512 }))),
  )
  const refused = outcomes.filter((each) => each.status === 'rejected')
  expect(refused.length).toBeGreaterThan(60)
  for (const { reason } of refused) expect(reason).toMatchObject({ kind: { code: 'unavailable', status: 503 } })
  // later uploads work again
  expect((await remakePicture(picture, { maxSide: 512 })).length).toBeGreaterThan(100)
})
