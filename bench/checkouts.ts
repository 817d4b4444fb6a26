import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { buildTown } from './town.ts'

/** A checkout of this repository with its node_modules; null: this one. */
export interface Checkout {
  root: string | null
}

export interface ForeignTown {
  url: string
  postmaster: number
  close(): Promise<void>
}

/** Builds the server of a checkout and a town with its own migrations. */
export async function startTown({ root }: Checkout, deals: number): Promise<ForeignTown> {
  if (root === null) return buildTown(deals)
  execFileSync(process.execPath, ['scripts/build.ts', '--if-stale'], { cwd: root, stdio: 'inherit' })
  const script = `
    const { buildTown } = await import(${JSON.stringify(`${root}/bench/town.ts`)})
    const town = await buildTown(${deals})
    console.log(JSON.stringify({ url: town.url, postmaster: town.postmaster }))
    process.stdin.resume().on('end', () => town.close().then(() => process.exit(0)))`
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
      async close() {
        child.stdin.end()
        if (child.exitCode === null) await once(child, 'exit')
      },
    }
  }
  throw new Error(`No town from ${root}.`)
}
