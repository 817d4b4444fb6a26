import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync, closeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { join } from 'node:path'
import { afterEach, describe, expect, inject, onTestFinished, vi, it } from 'vitest'
import { freePort } from './free-port.ts'
import { databaseUrl, dropDatabase, sql } from './databases.ts'
import { quickFolder } from './quick-folder.ts'

// these tests start whole servers, or wait for retries of mails
vi.setConfig({ testTimeout: 240_000 })

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts the server with its stdout on a file descriptor, or on a pipe that only the test reads. */
async function startWithLogOn(stdout: number | 'pipe', stderr: number | 'pipe' = stdout) {
  const { admin, empty } = inject('postgres')
  const name = `rk_log_${process.pid}_${Date.now().toString(36)}`
  await sql(admin, `create database ${name} template ${empty}`)
  const dataDir = mkdtempSync(join(quickFolder(), 'rheinklang-log-'))
  onTestFinished(async () => {
    await dropDatabase(admin, name)
    rmSync(dataDir, { recursive: true, force: true })
  })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['build/app/main.mjs'], {
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl(admin, name),
      DEMO_DATA: 'off',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', stdout, stderr],
  })
  children.push(child)
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
  await vi.waitUntil(async () => child.exitCode !== null || (await isReady()), { timeout: 150_000, interval: 50 })
  return { child, url }
}

async function exitOf(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? child.signalCode
}

/** Requests unknown addresses: each logs two lines, one of them of 3 kB. */
async function fillLog(url: string, requests: number) {
  // in short words: the log leaves out long ones, which could be secrets
  const path = `/api/${'x/'.repeat(1500)}x`
  for (let done = 0; done < requests; done += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${url}${path}`, { signal: AbortSignal.timeout(20_000) })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
  }
}

async function stillServesAndStops({ child, url }: { child: ChildProcess; url: string }) {
  expect((await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(20_000) })).status).toBe(200)
  expect((await fetch(`${url}/api/deals`, { signal: AbortSignal.timeout(20_000) })).status).toBe(200)
  child.kill('SIGTERM')
  expect(await exitOf(child)).toBe(0)
}

describe.runIf(process.platform === 'linux')('a log that cannot be written', () => {
  it('because the disk is full delays neither requests nor a stop', async () => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const server = await startWithLogOn(full)
    expect(server.child.exitCode).toBeNull()
    await fillLog(server.url, 200)
    await stillServesAndStops(server)
  })

  it('because the reader of its pipe has ended delays neither requests nor a stop', async () => {
    const server = await startWithLogOn('pipe')
    server.child.stdout!.destroy()
    server.child.stderr!.destroy()
    await fillLog(server.url, 40)
    await stillServesAndStops(server)
  })

  it('because nobody reads its pipe delays neither requests nor a stop', async () => {
    const server = await startWithLogOn('pipe')
    await fillLog(server.url, 400)
    await stillServesAndStops(server)
  })

  it('for a while reports the number of lost lines afterwards, and takes little memory meanwhile', async () => {
    const { child, url } = await startWithLogOn('pipe')
    await fillLog(url, 600)
    const lines = linesOf(child.stdout!)
    await vi.waitUntil(() => lines.some(isLoss), { timeout: 90_000, interval: 20 })
    const { lost } = JSON.parse(lines.find(isLoss)!) as { lost: number }
    // of 2 MB of lines, 1 MB and the content of the pipe stay, in whole lines
    expect(lost).toBeGreaterThan(300)
    expect(lines.filter(isOfRequest).length + lost).toBe(1200)
    for (const line of lines.filter((each) => each.startsWith('{'))) expect(() => JSON.parse(line)).not.toThrow()
    // from then on the log is complete, up to the last line
    await fillLog(url, 100)
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(child.exitCode).toBe(0)
    expect(lines.filter(isOfRequest).length + lost).toBe(1400)
    expect(lines.filter(isLoss)).toHaveLength(1)
  })
})

const isOfRequest = (line: string) => line.includes('"reqId"')
const isLoss = (line: string) => line.includes('log lines were lost')

function linesOf(stream: Readable): string[] {
  const lines: string[] = []
  let rest = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop()!
    lines.push(...parts)
  })
  return lines
}
