import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  ConfigError,
  configFromEnvironment,
  givesAwayInPublic,
  storesUploadsLocally,
  ownOrigin,
  type Config,
} from './config.ts'
import { standardOutput } from '../kit/server/line-log.ts'
import type { Pages, ScreensBundle } from './server/pages.ts'
import { startApp, type RunningApp } from './start.ts'
import { isLoopback } from './settings.ts'
import { strangeSettings } from './strange-settings.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
/** How long the process waits for the last lines of its log. */
const lastLinesMs = 1_000

if (typeof Temporal === 'undefined') {
  process.stderr.write(
    `Rheinklang needs Node 26 or later and found ${process.version}. "npm ci" brings the right one along: start with "npm start".\n`,
  )
  process.exit(1)
}
// the build runs this to store compiled code
if (process.argv.includes('--load-only')) await builtPages()
else await run(configOrExit())

function configOrExit(): Config {
  try {
    return configFromEnvironment()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`Rheinklang cannot start with this configuration:\n${error.message.replace(/^/gm, '  ')}\n`)
    process.exit(1)
  }
}

async function run(config: Config) {
  // a broken stderr must not end the process
  process.stderr.on('error', () => {})
  const running = await startApp(config, {
    pages: process.argv.includes('--dev') ? await pagesInDevelopment() : await builtPages(),
  }).catch((error: unknown) => {
    process.stderr.write(`Rheinklang could not start: ${error instanceof Error ? error.message : String(error)}\n`)
    if (config.logLevel === 'debug' || config.logLevel === 'trace') console.error(error)
    process.exit(1)
  })
  standardOutput().write(`${greeting(config, running)}\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      // the process ends by itself once everything is closed, so that no answer is cut off; after 9 s at the latest
      setTimeout(() => process.exit(1), 9_000).unref()
      running
        .stop()
        .then(
          () => {
            process.exitCode = 0
          },
          (error: unknown) => {
            process.stderr.write(`Rheinklang did not stop cleanly: ${String(error)}\n`)
            process.exitCode = 1
          },
        )
        // in case a pipe that nobody reads holds the process back
        .finally(() => setTimeout(() => process.exit(), lastLinesMs).unref())
    })
  }
}

async function pagesInDevelopment(): Promise<Pages> {
  const { createServer } = await import('vite')
  const vite = await createServer({ root, server: { middlewareMode: true } })
  return {
    screens: {
      async handle(request, asked) {
        const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as unknown as BuiltScreens
        return build.entry.module.screensOf(build).handle(request, asked)
      },
    },
    clientDir: null,
    middleware: vite.middlewares,
  }
}

interface BuiltScreens {
  entry: { module: { screensOf(build: unknown): ScreensBundle } }
}

/** The screens that `npm run build` made. */
async function builtPages(): Promise<Pages> {
  const file = join(root, 'build', 'server', 'index.js')
  if (!existsSync(file)) throw new Error('The screens are not built yet. Run "npm run build".')
  const build = (await import(pathToFileURL(file).href)) as BuiltScreens
  return { screens: build.entry.module.screensOf(build), clientDir: join(root, 'build', 'client') }
}

function greeting(config: Config, { address, demoLogins, demoMailbox }: RunningApp): string {
  const url = config.publicUrl ?? ownOrigin({ host: config.host, port: Number(new URL(address).port || 80) })
  return [
    ``,
    `  ${config.festival.name} is on: ${url}`,
    `  Database: ${config.databaseUrl ? 'DATABASE_URL' : `PostgreSQL in ${config.dataDir}`}${config.demoData ? ', with demo data' : ''}`,
    `  Mail: ${config.smtpUrl ? 'by SMTP' : `as files in ${join(config.dataDir, 'mail')}`}`,
    ...(config.smtpUrl !== null && config.publicUrl === null
      ? [`  PUBLIC_URL is not set: links in mails lead to ${url}, which only this machine can open.`]
      : []),
    ...(storesUploadsLocally(config)
      ? [`  Uploads: in ${join(config.dataDir, 'uploads')}, on this machine only; other instances need S3_… for them.`]
      : []),
    ...(givesAwayInPublic(config)
      ? ['  Payments: by the test provider, so merchants pay nothing. STRIPE_… make them real.']
      : []),
    ...demoLogins.map(({ who, page, email, password }) => `  Demo ${who}: ${email}  ${password}  at ${url}${page}`),
    ...(demoMailbox !== null && isLoopback(new URL(url).hostname) ? [`  Demo mailbox: ${url}${demoMailbox}`] : []),
    ...(config.secretKey === null && config.databaseUrl !== null
      ? ['  SECRET_KEY is not set: the key of this installation is in the database, and in every dump of it.']
      : []),
    ...strangeSettings(process.env).map((sentence) => `  ${sentence}`),
    `  API: ${url}/api/openapi.json   Health: ${url}/readyz`,
    ``,
  ].join('\n')
}
