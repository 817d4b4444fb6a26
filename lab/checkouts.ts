import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { temporaryFolder } from './folder.ts'
import { buildTown, type Town } from './town.ts'

export const ownRoot = resolve(import.meta.dirname, '..')

/** A version of the product: this checkout, or another one to compare it with. */
export interface Checkout extends Disposable {
  name: string
  root: string
}

/** This checkout and, with `beside` (a commit, or a folder with its node_modules), that version; both built. */
export function openCheckouts(beside: string | null): Checkout[] {
  const ours = { name: 'ours', root: ownRoot, [Symbol.dispose]() {} }
  return beside === null ? [ours] : [ours, openCheckout(beside)]
}

export function openCheckout(named: string): Checkout {
  const isFolder = existsSync(join(named, 'package.json'))
  const folder = isFolder ? null : temporaryFolder()
  const root = folder ? join(folder.path, 'checkout') : resolve(named)
  if (folder) {
    mkdirSync(root)
    const archive = execFileSync('git', ['archive', named], { cwd: ownRoot, maxBuffer: 2 ** 30 })
    execFileSync('tar', ['-x', '-C', root], { input: archive })
    // it gets the packages of this checkout
    symlinkSync(join(ownRoot, 'node_modules'), join(root, 'node_modules'))
  }
  build(root)
  return { name: named, root, [Symbol.dispose]: () => folder?.[Symbol.dispose]() }
}

export function build(root: string) {
  execFileSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: root, stdio: 'inherit' })
}

/** A town with the migrations of a checkout. */
export async function buildTownOf(
  { root }: Checkout,
  deals: number,
): Promise<Pick<Town, 'url' | 'postmaster'> & AsyncDisposable> {
  if (root === ownRoot) return buildTown(deals)
  // older versions have it in bench/
  const file = ['lab/town.ts', 'bench/town.ts'].map((path) => join(root, path)).find((path) => existsSync(path))!
  const script = `
    const { buildTown } = await import(${JSON.stringify(file)})
    const town = await buildTown(${deals})
    console.log(JSON.stringify({ url: town.url, postmaster: town.postmaster }))
    process.stdin.resume().on('end', () => (town.close?.() ?? town[Symbol.asyncDispose]()).then(() => process.exit(0)))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue
    const { url, postmaster } = JSON.parse(line) as { url: string; postmaster: number }
    return {
      url,
      postmaster,
      async [Symbol.asyncDispose]() {
        child.stdin.end()
        if (child.exitCode === null) await once(child, 'exit')
      },
    }
  }
  throw new Error(`No town from ${root}.`)
}
