import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { startS3Peer } from '../test/peers/s3.ts'
import { startOwnPostgres, waitForCommits } from '../test/postgres-pair.ts'
import { mailSink } from './mail-sink.ts'
import { startServer } from './servers.ts'

const script = 'build/app/main.mjs'
const password = 'a long walk by the Rhine'
const settings = (folder: string, databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: folder,
  DEMO_DATA: 'off',
  TRUST_PROXY: 'on',
  LOG_LEVEL: 'silent',
  SECRET_KEY: 'the same on both instances, for this measurement',
})

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-bench-waits-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

export interface HangingBucket {
  asked: number
  /** 503 with Retry-After. */
  asWished: number
  slowestMs: number
}

/** A bucket takes connections and answers nothing: pictures are asked for, and businesses sign up with a logo. */
export function measureHangingBucket(): Promise<HangingBucket> {
  return inFolder(async (folder) => {
    const keys = { accessKeyId: 'bench', secretAccessKey: 'a secret of the bench', region: 'auto' }
    const bucket = await startS3Peer(keys)
    const postgres = await startOwnPostgres()
    const server = await startServer(
      script,
      {
        ...settings(folder, postgres.url),
        S3_ENDPOINT: bucket.endpoint,
        S3_REGION: keys.region,
        S3_BUCKET: 'festival',
        S3_ACCESS_KEY_ID: keys.accessKeyId,
        S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
      },
      { probe: '/readyz' },
    )
    try {
      const logo = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
      const signUp = (n: number) => {
        const form = new FormData()
        const fields = { business_name: `Bar ${n}`, email: `bar${n}@example.org`, password, accepts_terms: 'true' }
        for (const [name, value] of Object.entries(fields)) form.set(name, value)
        form.set('logo', new File([new Uint8Array(logo)], 'logo.png', { type: 'image/png' }))
        const headers = { 'x-forwarded-for': `10.1.0.${n}` }
        return fetch(`${server.base}/api/business/signup`, { method: 'POST', body: form, headers })
      }
      const first = await signUp(0)
      if (!first.ok) throw new Error(`A signup was answered ${first.status}.`)
      const [[kept]] = [[...bucket.objects.keys()]]
      const picture = kept!.replace('/festival', '')
      bucket.hang()
      const timed = async (ask: () => Promise<Response>) => {
        const began = performance.now()
        const { status, headers } = await ask().then(async (answer) => (await answer.arrayBuffer(), answer))
        return { isAsWished: status === 503 && headers.has('retry-after'), ms: performance.now() - began }
      }
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => [
          timed(() => signUp(n + 1)),
          timed(() => fetch(`${server.base}${picture}`)),
        ]).flat(),
      )
      return {
        asked: answers.length,
        asWished: answers.filter(({ isAsWished }) => isAsWished).length,
        slowestMs: Math.max(...answers.map(({ ms }) => ms)),
      }
    } finally {
      await server.stop()
      await postgres.stop()
      await bucket.close()
    }
  })
}

/** A start whose commits wait. @returns ms from the first wait on the server until the log says so */
export function measureWaitingStart(): Promise<number> {
  return inFolder(async (folder) => {
    const postgres = await startOwnPostgres()
    await waitForCommits(postgres, 'nobody')
    const child = spawn(process.execPath, [script], {
      env: { ...process.env, ...settings(folder, postgres.url), LOG_LEVEL: 'info', HOST: '127.0.0.1', PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      let saidAt: number | null = null
      let log = ''
      child.stdout.on('data', (chunk: Buffer) => {
        log += chunk.toString()
        if (log.includes('a commit waits for a standby')) saidAt ??= performance.now()
      })
      let waitsSince: number | null = null
      while (saidAt === null) {
        const waits = "select 1 from pg_stat_activity where usename = 'rheinklang' and wait_event = 'SyncRep'"
        if (waitsSince === null && (await postgres.sql(waits)).length > 0) waitsSince = performance.now()
        await sleep(20)
      }
      return saidAt - (waitsSince ?? saidAt)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
      await postgres.stop()
    }
  })
}

export interface TakenUp {
  mails: number
  /** From the fault until the last of them came again, by another instance. */
  afterMs: number
  /** With another Message-ID than the first time. */
  strange: number
}

const inHand = 3

/** An instance is killed, or hangs, while it sends mails; another one is there. */
export function measureJobsInHand(fault: 'SIGKILL' | 'SIGSTOP'): Promise<TakenUp> {
  return inFolder(async (folder) => {
    const postgres = await startOwnPostgres()
    const mails = await mailSink()
    const env = {
      ...settings(folder, postgres.url),
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      MAIL_FROM: 'Rheinklang <bench@example.org>',
    }
    const start = () => startServer(script, env, { probe: '/readyz' })
    const instances = [await start()]
    const came = () => mails.messages.get('bench@example.org') ?? []
    const until = async (isTrue: () => boolean) => {
      while (!isTrue()) await sleep(20)
    }
    try {
      mails.hold(true)
      for (let n = 0; n < inHand; n++) {
        const answer = await fetch(`${instances[0]!.base}/api/contact`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.2.0.${n}` },
          body: JSON.stringify({
            name: 'Lena',
            email: 'lena@example.org',
            topic: 'visitor',
            message: `Lost and found? ${n}`,
          }),
        })
        if (!answer.ok) throw new Error(`A message was answered ${answer.status}.`)
      }
      await until(() => mails.held() === inHand)
      const first = new Set(came().map(({ messageId }) => messageId))
      instances.push(await start())
      const faultAt = performance.now()
      process.kill(instances[0]!.pid, fault)
      mails.hold(false)
      await until(() => came().length >= 2 * inHand)
      const again = came().slice(inHand)
      return {
        mails: inHand,
        afterMs: Math.max(...again.map(({ at }) => at)) - faultAt,
        strange: again.filter(({ messageId }) => !first.has(messageId)).length,
      }
    } finally {
      if (fault === 'SIGSTOP') process.kill(instances[0]!.pid, 'SIGCONT')
      for (const instance of instances) await instance.stop()
      await postgres.stop()
      await mails.close()
    }
  })
}
