import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lineLog, toFile } from './line-log.ts'

/** A pipe that behaves like a full disk: it takes 64 kB, then refuses writes, even within a line, until it is read. */
function smallDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-log-'))
  const path = join(folder, 'disk')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  onTestFinished(() => {
    closeSync(fd)
    rmSync(folder, { recursive: true })
  })
  let content = Buffer.alloc(0)
  const read = () => {
    const bytes = Buffer.alloc(64 * 1024)
    try {
      content = Buffer.concat([content, bytes.subarray(0, readSync(fd, bytes))])
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
    return content.toString()
  }
  return { fd, read }
}

it.runIf(process.platform === 'linux')(
  'after a full disk a log continues within the interrupted line, and counts the lost lines',
  async () => {
    const disk = smallDisk()
    const most = 160 * 1024
    const log = lineLog(toFile(disk.fd), most)
    const line = (n: number) => `${n} ${'é'.repeat(500)}\n`
    for (let n = 0; n < 300; n++) log.write(line(n))
    await vi.waitUntil(() => disk.read().includes('log lines were lost'), { timeout: 90_000, interval: 50 })
    log.write('again\n')
    await vi.waitUntil(() => disk.read().endsWith('again\n'), { timeout: 90_000, interval: 50 })
    const lines = disk.read().split('\n')
    const { lost, level } = JSON.parse(lines.find((each) => each.startsWith('{'))!) as Record<string, number>
    expect(level).toBe(50)
    const kept = lines.filter((each) => each.includes('é')).map((each) => `${each}\n`)
    expect(kept.every((each, n) => each === line(n))).toBe(true)
    expect(kept.length + lost!).toBe(300)
    const bytes = (lines: string[]) => Buffer.byteLength(lines.join(''))
    expect(bytes(kept)).toBeLessThanOrEqual(most)
    expect(bytes([...kept, line(kept.length)])).toBeGreaterThan(most)
  },
)
