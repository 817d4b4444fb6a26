import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ConfigError, readConfig, type Config } from './config.ts'
import type { ScreensBundle } from './pages.ts'
import { startApp } from './start.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const config = configOrExit()
await run(config)

function configOrExit(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  try {
    return readConfig(process.env, process.cwd())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`Rheinklang cannot start with this configuration:\n${error.message.replace(/^/gm, '  ')}\n`)
    process.exit(1)
  }
}

async function run(config: Config) {
  const running = await startApp(config, { pages: await builtPages() }).catch((error: unknown) => {
    process.stderr.write(`Rheinklang could not start: ${error instanceof Error ? error.message : String(error)}\n`)
    if (config.logLevel === 'debug' || config.logLevel === 'trace') console.error(error)
    process.exit(1)
  })
  process.stdout.write(`${greeting(config, running.address)}\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      // ends by itself once everything is closed, so that answers in flight are never cut off; in doubt after 9 s
      setTimeout(() => process.exit(1), 9_000).unref()
      running.stop().then(
        () => {
          process.exitCode = 0
        },
        (error: unknown) => {
          process.stderr.write(`Rheinklang did not stop cleanly: ${String(error)}\n`)
          process.exitCode = 1
        },
      )
    })
  }
}

/** The screens that `npm run build` made. */
async function builtPages() {
  const file = join(root, 'build', 'server', 'index.js')
  if (!existsSync(file)) throw new Error('The screens are not built yet. Run "npm run build".')
  const build = (await import(pathToFileURL(file).href)) as {
    entry: { module: { screensOf(build: unknown): ScreensBundle } }
  }
  return { screens: build.entry.module.screensOf(build), clientDir: join(root, 'build', 'client') }
}

function greeting(config: Config, address: string): string {
  const url = config.publicUrl ?? address.replace('0.0.0.0', 'localhost').replace('[::]', 'localhost')
  return [
    ``,
    `  ${config.festival.name} is on: ${url}`,
    `  Database: ${config.databaseUrl ? 'DATABASE_URL' : `PostgreSQL in ${config.dataDir}`}${config.demoData ? ', with demo data' : ''}`,
    `  Mail: ${config.smtpUrl ? 'by SMTP' : `as files in ${join(config.dataDir, 'mail')}`}`,
    `  API: ${url}/api/openapi.json   Health: ${url}/readyz`,
    ``,
  ].join('\n')
}
