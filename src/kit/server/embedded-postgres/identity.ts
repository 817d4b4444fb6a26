import { execFile } from 'node:child_process'
import { chown, lchown, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Programs } from './programs.ts'
import { env, type Identity } from './tied-process.ts'

/** For other processes it is still root, and can read a checkout below /root; for itself it is user 65534. */
const userNamespace: Identity = {
  wrapper: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
}
const nobody: Identity = { wrapper: [], uid: 65534, gid: 65534 }

export async function chooseIdentity(programs: Programs, folder: string, dataDir: string): Promise<Identity> {
  const uid = process.getuid!()
  const cluster = await stat(folder).catch(() => undefined)
  if (uid !== 0) {
    if (!cluster || cluster.uid === uid) return { wrapper: [] }
    throw new Error(
      `The database in "${folder}" belongs to the system user ${cluster.uid}, and this server runs as ${uid}. ` +
        'Run it as its owner, or choose another folder with DATA_DIR.',
    )
  }
  const owner = cluster ?? (await stat(dataDir))
  const candidates = owner.uid === 0 ? [userNamespace, nobody] : [{ wrapper: [], uid: owner.uid, gid: owner.gid }]
  for (const identity of candidates) if (await canWork(identity, programs, dataDir)) return identity
  throw new Error(
    `PostgreSQL refuses to run as root, and as another user (${candidates.at(-1)!.uid}) it cannot reach "${programs.bin}" ` +
      `and "${dataDir}". Run this server as an ordinary user, move both to where every user may enter, or set DATABASE_URL.`,
  )
}

async function canWork({ wrapper, uid, gid }: Identity, programs: Programs, dataDir: string): Promise<boolean> {
  // another user will own dataDir itself later (`handOver`)
  const reach = uid === undefined ? dataDir : dirname(dataDir)
  const [command, ...args] = [...wrapper, '/bin/sh', '-c', 'test -x "$1" && test -x "$2"', 'sh']
  try {
    await promisify(execFile)(command!, [...args, join(programs.bin, 'postgres'), reach], { uid, gid, env, cwd: '/' })
    return true
  } catch {
    return false
  }
}

export async function handOver({ uid, gid }: Identity, dataDir: string, folder: string) {
  if (uid === undefined) return
  const parent = await stat(dataDir)
  if (parent.uid === 0 && (parent.mode & 0o001) === 0) await chown(dataDir, uid, gid!)
  const cluster = await stat(folder).catch(() => undefined)
  if (!cluster || cluster.uid === uid) return
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), uid, gid!)
  await chown(folder, uid, gid!) // last: an interrupted change of owner is done again at the next start
}
