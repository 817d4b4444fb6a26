import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What is wrong with a site, in a sentence for its operator. */
export class BadSite extends Error {}

export interface Machine {
  name: string
  address: string
  /** Paths below the machine's root, such as `etc/rheinklang/app.env`. */
  files: string[]
}

const deploy = new URL('../deploy', import.meta.url).pathname
/** Folders of deploy/ that a machine of each kind gets. */
const parts = { ONE_SERVER: ['server', 'one-server'], APP_MACHINES: ['server', 'app'], DATABASE_MACHINES: ['database'] }
/** A line with one of them stands once for each machine of the kind. */
const repeated = { APP_: 'APP_MACHINES', DATABASE_: 'DATABASE_MACHINES' } as const
/** They stand in files of many kinds, so they may hold nothing that any of them reads as something else. */
const isSecret = (name: string) => /_PASSWORD$|^SECRET_KEY$/.test(name)

/**
 * Fills in the files of deploy/ for every machine of a site and writes them below `out/<machine>/`. In a file `${NAME}` is what
 * the site says, or MACHINE, ADDRESS and lists of the machines. Values of the site may name others.
 *
 * @throws BadSite when the site lacks something that a file names
 */
export function writeMachines(site: Record<string, string>, out: string): Machine[] {
  const lists = Object.fromEntries(Object.keys(parts).map((kind) => [kind, machinesOf(kind, site[kind] ?? '')]))
  const machines: Machine[] = []
  // a site that is refused leaves nothing behind
  const filled: { to: string; text: string; mode: number }[] = []
  for (const [kind, folders] of Object.entries(parts))
    for (const { name, address } of lists[kind]!) {
      const values = { ...site, ...listsOf(lists['DATABASE_MACHINES']!), MACHINE: name, ADDRESS: address }
      const files = folders.flatMap((folder) =>
        globSync('**/*', { cwd: join(deploy, folder), withFileTypes: false })
          .filter((file) => statSync(join(deploy, folder, file)).isFile())
          .map((file) => ({ from: join(deploy, folder, file), file })),
      )
      for (const { from, file } of files) {
        const to = join(out, name, file)
        if (existsSync(to)) throw new BadSite(`"${to}" is there already. Name a new folder.`)
        // units are read by everybody, and hold no secret
        const mode = from.endsWith('.sh') ? 0o750 : file.includes('systemd/') ? 0o644 : 0o640
        filled.push({ to, text: fill(readFileSync(from, 'utf8'), values, lists, file), mode })
      }
      machines.push({ name, address, files: files.map(({ file }) => file) })
    }
  if (machines.length === 0)
    throw new BadSite('The site names no machine: ONE_SERVER, or APP_MACHINES and DATABASE_MACHINES.')
  for (const { to, text, mode } of filled) {
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, text)
    chmodSync(to, mode)
  }
  return machines
}

function machinesOf(kind: string, text: string) {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((each) => {
      const [, name, address] = /^([a-z][a-z0-9-]*)=([\d.]+)$/.exec(each) ?? []
      if (!name || !address) throw new BadSite(`${kind}: "${each}" is not like db1=10.0.0.11.`)
      return { name, address }
    })
}

function listsOf(databases: { name: string; address: string }[]): Record<string, string> {
  const each = (text: (machine: { name: string; address: string }) => string, between: string) =>
    databases.map(text).join(between)
  return {
    ETCD_HOSTS: each(({ address }) => `${address}:2379`, ','),
    ETCD_MEMBERS: each(({ name, address }) => `${name}=http://${address}:2380`, ','),
    READ_URLS: each(({ address }) => `postgres://rheinklang:\${APP_PASSWORD}@${address}:5432/rheinklang`, ' '),
  }
}

function fill(
  text: string,
  values: Record<string, string>,
  lists: Record<string, { name: string; address: string }[]>,
  file: string,
): string {
  const lines = text.split('\n').flatMap((line) => {
    // a setting that the site leaves empty
    const [, name] = /^[\w-]+="?\$\{(\w+)\}"?$/.exec(line) ?? []
    if (name && values[name] === '' && !isSecret(name)) return []
    const [, kind] = /\$\{(APP_|DATABASE_)MACHINE\}/.exec(line) ?? []
    if (!kind) return [line]
    return lists[repeated[kind as keyof typeof repeated]]!.map(({ name, address }) =>
      line.replaceAll(`\${${kind}MACHINE}`, name).replaceAll(`\${${kind}ADDRESS}`, address),
    )
  })
  const valueOf = (name: string, depth: number): string => {
    const value = values[name]
    if (value === undefined) throw new BadSite(`${name} is missing in the site; ${file} needs it.`)
    if (isSecret(name) && !/^[\w-]{16,}$/.test(value))
      throw new BadSite(`${name} must be 16 or more letters, digits, - and _ (openssl rand -hex 24).`)
    if (depth > 3) throw new BadSite(`${name} names itself.`)
    return replace(value, depth + 1)
  }
  const replace = (part: string, depth: number): string =>
    part.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => valueOf(name, depth))
  return replace(lines.join('\n'), 0)
}
