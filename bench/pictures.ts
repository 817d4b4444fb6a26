import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { startEmbeddedPostgres } from '../src/kit/server/embedded-postgres.ts'
import { startServer, type RunningServer } from './servers.ts'
import { socketUrl } from './town.ts'

export interface Uploads {
  what: string
  /** Slowest answer to a photo, ms. */
  photosMs: number
  /** Photos that were not taken. */
  failed: number
  /** Answer to the one that is no photo; null where all are. */
  other: { status: number; ms: number } | null
}

const atOnce = 20

/** Logos sent with 20 signups at once, on a fresh database: photos of phones, and one large PNG among them. */
export async function measurePictures(): Promise<Uploads[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-pictures-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') })
  let app: RunningServer | null = null
  try {
    // each signup comes from another address, or the limits of one address would answer
    const env = {
      DATABASE_URL: socketUrl(postgres),
      DATA_DIR: join(folder, 'app'),
      TRUST_PROXY: 'on',
      DEMO_DATA: 'off',
    }
    app = await startServer('build/app/main.mjs', env, { probe: '/readyz', nodeArgs: ['--max-old-space-size=768'] })
    const photo = await photoOf(4032, 3024)
    const flat = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#f2574a' } })
        .png()
        .toBuffer()
    // the library behind it is loaded with the first picture
    await signUp(app, await photoOf(64, 64))
    const kinds = [
      [`20 photos of phones at once (12 MP, ${(photo.length / 1e6).toFixed(1)} MB)`, null],
      ['19 photos and a PNG of 24 MP at once', await flat(6000, 4000)],
      ['19 photos and a PNG of 39 MP at once', await flat(7800, 5000)],
    ] as const
    const measured: Uploads[] = []
    for (const [what, other] of kinds) {
      const first = other ? signUp(app, other) : null
      const photos = await Promise.all(Array.from({ length: first ? atOnce - 1 : atOnce }, () => signUp(app!, photo)))
      measured.push({
        what,
        photosMs: Math.max(...photos.map(({ ms }) => ms)),
        failed: photos.filter(({ status }) => status !== 201).length,
        other: await first,
      })
    }
    return measured
  } finally {
    await app?.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As detailed as a photo: noise of two sizes. JPEG, as phones send it. */
export async function photoOf(width: number, height: number, { quality = 90 } = {}): Promise<Buffer> {
  const noise = (size: number, sigma: number) =>
    sharp({
      create: {
        width: Math.ceil(width / size),
        height: Math.ceil(height / size),
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma },
      },
    })
  const coarse = await noise(16, 60).png().toBuffer()
  const fine = await noise(2, 18).resize(width, height).png().toBuffer()
  return sharp(coarse)
    .resize(width, height)
    .composite([{ input: fine, blend: 'soft-light' }])
    .jpeg({ quality })
    .toBuffer()
}

let signups = 0

/** Never throws: a connection that was closed without an answer is status 0. */
async function signUp({ base }: RunningServer, logo: Buffer): Promise<{ status: number; ms: number }> {
  const n = ++signups
  const form = new FormData()
  const fields = { business_name: 'Bench', email: `picture${n}@example.org`, password: 'bench-words-7 to sign up' }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('logo', new Blob([logo as BlobPart]), 'logo')
  const began = performance.now()
  const status = await fetch(`${base}/api/business/signup`, {
    method: 'POST',
    headers: { 'x-forwarded-for': `198.19.0.${n}` },
    body: form,
  }).then(
    async (answer) => (await answer.arrayBuffer(), answer.status),
    () => 0,
  )
  return { status, ms: performance.now() - began }
}
