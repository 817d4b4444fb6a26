import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type BrowserContextOptions } from 'playwright-core'
import { encodeQR } from 'qr'
import { onTestFinished } from 'vitest'
import { patienceMs } from './browser.ts'
import { launchOptions } from './chromium.ts'

/** A separate browser whose camera sees a QR code; it is closed at the end of the test. */
export async function withCamera(payload: string, options: BrowserContextOptions): Promise<BrowserContext> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-camera-'))
  const film = join(folder, 'code.y4m')
  writeFileSync(film, filmOf(payload))
  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...launchOptions.args,
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  })
  onTestFinished(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })
  const context = await browser.newContext({ permissions: ['camera'], ...options })
  context.setDefaultTimeout(patienceMs)
  return context
}

/** A grey picture of a QR code as a video of one frame, which the fake camera repeats (YUV4MPEG2). */
function filmOf(payload: string): Buffer {
  const [width, height, module] = [640, 480, 9]
  const modules = encodeQR(payload, 'raw', { ecc: 'medium', border: 4 })
  const [left, top] = [width, height].map((side) => Math.floor((side - modules.length * module) / 2)) as [
    number,
    number,
  ]
  const light = Buffer.alloc(width * height, 200)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [column, row] = [Math.floor((x - left) / module), Math.floor((y - top) / module)]
      if (modules[row]?.[column]) light[y * width + x] = 30
    }
  const colour = Buffer.alloc((width * height) / 2, 128)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, colour])
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`), frame, frame, frame])
}
