import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/free-port.ts'

/** What an image is like that was made from deploy/Containerfile as it stands. */
export interface Container {
  builtS: number
  sizeMb: number
  /** Of who runs the app. */
  uid: number
  readyS: number
  /** Answers of these paths. */
  statuses: Record<string, number>
  /** What its own health check ends with. */
  health: number | null
  /** From SIGTERM to its end, and how it ended. */
  stoppedS: number
  ended: number | null
}

const root = new URL('..', import.meta.url).pathname
const suite = 'bookworm'
const bases = ['docker.io/library/debian:bookworm-slim', 'docker.io/library/node:22-bookworm-slim']
const image = 'rheinklang'
const paths = ['/readyz', '/', '/deals', '/events', '/forum', '/api/deals']
const patienceMs = 60_000

/**
 * Builds the image of HEAD with buildah and runs its own command with its own user and settings. Nothing is fetched from a
 * registry of images: their bases are made by debootstrap, with the npm of this machine. A list: what is missing for that.
 */
export async function measureContainer(): Promise<Container | string[]> {
  const missing = ['buildah', 'debootstrap', 'npm', 'git'].filter((program) => !pathOf(program))
  if (process.getuid!() !== 0) missing.push('the rights of root, for debootstrap')
  if (missing.length > 0) return missing
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-container-'))
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  const buildah = (...args: string[]) => run('buildah', [...store, ...args])
  try {
    makeBases(folder, buildah)
    const source = join(folder, 'source')
    mkdirSync(source)
    run('sh', ['-c', `git -C "$1" archive HEAD | tar -x -C "$2"`, 'sh', root, source])
    const began = performance.now()
    buildah('bud', '--format', 'docker', ...asHere, ...trust(folder), '-f', 'deploy/Containerfile', '-t', image, source)
    const builtS = (performance.now() - began) / 1000
    const { Docker: made } = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
      Docker: { config: { Cmd: string[]; Healthcheck?: { Test: string[] } } }
    }
    const name = buildah('from', '--pull-never', image).trim()
    const sizeMb = Number(run('du', ['-sm', buildah('mount', name).trim()]).split('\t')[0])
    const port = await freePort()
    const inside = ['run', '--isolation', 'chroot', '--network', 'host', '-e', `PORT=${port}`, name, '--']
    const uid = Number(buildah(...inside, 'id', '-u'))
    const [, ...check] = made.config.Healthcheck?.Test ?? []
    const app = await startIn([...store, ...inside, ...made.config.Cmd], `http://127.0.0.1:${port}`)
    const statuses: Container['statuses'] = {}
    for (const path of paths) statuses[path] = (await fetch(`http://127.0.0.1:${port}${path}`)).status
    const health = check.length > 0 ? spawnSync('buildah', [...store, ...inside, ...check]).status : null
    return { builtS, sizeMb, uid, readyS: app.readyS, statuses, health, ...(await app.stop()) }
  } finally {
    spawnSync('buildah', [...store, 'rm', '--all'])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Without namespaces and an image registry, which not every machine of a bench has. */
const asHere = ['--isolation', 'chroot', '--network', 'host', '--pull-never']

function makeBases(folder: string, buildah: (...args: string[]) => string) {
  const base = join(folder, 'base')
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates', suite, base, 'http://deb.debian.org/debian'])
  const [debian, node] = bases as [string, string]
  const keep = (name: string) => {
    const container = buildah('from', 'scratch').trim()
    buildah('add', container, base, '/')
    buildah('commit', container, name)
    buildah('rm', container)
  }
  keep(debian)
  // its program lies in its own folder bin
  const npm = dirname(dirname(realpathSync(pathOf('npm')!)))
  const own = join(base, 'usr/local')
  run('sh', ['-c', 'mkdir -p "$1/lib/node_modules" && cp -r "$2" "$1/lib/node_modules/npm"', 'sh', own, npm])
  run('cp', [pathOf('node', '/usr/bin:/usr/local/bin') ?? process.execPath, join(own, 'bin/node')])
  run('ln', ['-sf', '../lib/node_modules/npm/bin/npm-cli.js', join(own, 'bin/npm')])
  keep(node)
}

/** What this machine trusts besides the usual authorities, npm in the build trusts too. */
function trust(folder: string): string[] {
  const own = process.env['NODE_EXTRA_CA_CERTS']
  if (!own || !existsSync(own)) return []
  const npmrc = join(folder, 'npmrc')
  writeFileSync(npmrc, `cafile=${own}\n`)
  return ['-v', `${npmrc}:/root/.npmrc:ro`, '-v', `${dirname(own)}:${dirname(own)}:ro`]
}

async function startIn(args: string[], base: string) {
  const began = performance.now()
  const child = spawn('buildah', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
  const isReady = () =>
    fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - began > patienceMs)
      throw new Error(`The container was never ready.\n${said}`)
    await sleep(100)
  }
  return {
    readyS: (performance.now() - began) / 1000,
    async stop() {
      const asked = performance.now()
      // as the engine does, to the first process of the container, which says its number in its first line
      process.kill(Number(/"pid":(\d+)/.exec(said)![1]), 'SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      return { stoppedS: (performance.now() - asked) / 1000, ended: child.exitCode }
    },
  }
}

function pathOf(program: string, path = process.env['PATH'] ?? ''): string | null {
  const dirs = [...path.split(':'), '/usr/sbin', '/sbin']
  return dirs.map((dir) => join(dir, program)).find((file) => existsSync(file)) ?? null
}

function run(program: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e9 })
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr.slice(-2000)}`)
}
