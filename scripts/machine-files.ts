import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError, readConfig } from '../src/app/config.ts'
import { makeFolder } from '../src/kit/server/data-folder.ts'

/** A fault in the settings of a site, in a sentence for its operator. */
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
/** A line with `${APP_MACHINE}`, for example, is repeated for each machine of that kind. */
const repeated = { APP_: 'APP_MACHINES', DATABASE_: 'DATABASE_MACHINES' } as const
/** Secrets are written into files of many formats, so they may have only letters that none of them interprets. */
const isSecret = (name: string) => /_PASSWORD$|^SECRET_KEY$/.test(name)

/**
 * Writes the files of deploy/ for every machine of a site below `out/<machine>/`. `${NAME}` in a file is replaced by the site's value,
 * or by MACHINE, ADDRESS and lists of machines. Values may contain `${NAME}` too.
 *
 * @throws BadSite when a value is missing, or the app would refuse its settings
 */
export function writeMachines(site: Record<string, string>, out: string): Machine[] {
  const lists = Object.fromEntries(Object.keys(parts).map((kind) => [kind, machinesOf(kind, site[kind] ?? '')]))
  refuseMixed(lists)
  const machines: Machine[] = []
  // written at the end only, so that a refused site leaves no files
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
        // units hold no secret, and everybody may read them
        const mode = from.endsWith('.sh') ? 0o750 : file.includes('systemd/') ? 0o644 : 0o640
        const text = fill(readFileSync(from, 'utf8'), values, lists, file)
        if (file.endsWith('/app.env')) refuseSettings(text, file)
        filled.push({ to, text, mode })
      }
      machines.push({ name, address, files: files.map(({ file }) => file) })
    }
  if (machines.length === 0)
    throw new BadSite('The site names no machine: ONE_SERVER, or APP_MACHINES and DATABASE_MACHINES.')
  makeFolder(out)
  for (const { to, text, mode } of filled) {
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, text)
    chmodSync(to, mode)
  }
  return machines
}

function refuseMixed(lists: Record<string, { name: string; address: string }[]>): void {
  const of = (kind: keyof typeof parts) => lists[kind]!
  if (of('ONE_SERVER').length > 1) throw new BadSite('ONE_SERVER names more than one machine.')
  const isCluster = of('APP_MACHINES').length + of('DATABASE_MACHINES').length > 0
  if (of('ONE_SERVER').length > 0 && isCluster)
    throw new BadSite('The site names ONE_SERVER and machines of a cluster. It is one or the other.')
  if (isCluster && of('DATABASE_MACHINES').length < 3)
    throw new BadSite('DATABASE_MACHINES: a cluster needs three machines to agree on which of them leads.')
  if (isCluster && of('APP_MACHINES').length === 0) throw new BadSite('A cluster needs APP_MACHINES as well.')
  for (const kind of Object.keys(parts) as (keyof typeof parts)[])
    for (const what of ['name', 'address'] as const) {
      const all = of(kind).map((machine) => machine[what])
      const twice = all.find((each, index) => all.indexOf(each) !== index)
      if (twice !== undefined) throw new BadSite(`${kind}: ${twice} is listed twice.`)
    }
}

/** Values that systemd, Node and the shell read in the same way: without quotes, in single or in double quotes. */
const sameForAll = /^([\w.,:/@%+=-]*|'[^'\n]*'|"[^"$`\\\n]*")$/

/** @throws BadSite for settings that the app would refuse at its start, so that operators see it before they copy files */
function refuseSettings(text: string, file: string): void {
  for (const [, name, value] of text.matchAll(/^(\w+)=(.*)$/gm))
    if (!sameForAll.test(value!))
      throw new BadSite(
        `${name} has a sign that systemd and the shell read in two ways. In a URL write it as % and its number (%27).`,
      )
  try {
    readConfig(parseEnv(text) as Record<string, string>, '/')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new BadSite(`The app would refuse ${file}:\n${error.message.replace(/^/gm, '  ')}`)
  }
}

function machinesOf(kind: string, text: string) {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((each) => {
      const [, name, address] = /^([a-z][a-z0-9-]*)=([\d.]+)$/.exec(each) ?? []
      if (!name || !address || !isIPv4(address)) throw new BadSite(`${kind}: "${each}" is not like db1=10.0.0.11.`)
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
    // the site leaves this setting empty: leave out the line
    const [, name] = /^[\w-]+=["']?\$\{(\w+)\}["']?$/.exec(line) ?? []
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
