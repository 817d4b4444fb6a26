import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { BadSite, writeMachines } from '../scripts/machine-files.ts'
import { readConfig } from '../src/app/config.ts'

const example = parseEnv(readFileSync('deploy/site.env.example', 'utf8')) as Record<string, string>
const secrets = Object.keys(example).filter((name) => /_PASSWORD$|^SECRET_KEY$/.test(name))
const site: Record<string, string> = {
  ...example,
  ...Object.fromEntries(secrets.map((name) => [name, `${name.toLowerCase()}-0123456789-0123456789`])),
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
}
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'rheinklang-deploy-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

it('the files of a cluster are complete for every machine, and the app accepts its settings', () => {
  const out = folder()
  const machines = writeMachines(site, out)
  expect(machines.map(({ name }) => name)).toEqual(['app1', 'app2', 'db1', 'db2', 'db3'])
  for (const { name, files } of machines)
    for (const file of files) expect(readFileSync(join(out, name, file), 'utf8'), file).not.toContain('${')
  const config = readConfig(
    parseEnv(readFileSync(join(out, 'app1/etc/rheinklang/app.env'), 'utf8')) as Record<string, string>,
    out,
  )
  expect(config.databaseReadUrls.map((url) => new URL(url).hostname)).toEqual(['10.0.0.11', '10.0.0.12', '10.0.0.13'])
  expect([config.publicUrl, config.mailFrom]).toEqual(['https://deals.example.ch', 'Rheinklang <hello@example.ch>'])
  const haproxy = readFileSync(join(out, 'app2/etc/rheinklang/haproxy.cfg'), 'utf8')
  expect([...new Set(haproxy.match(/server app\d 10\.0\.0\.2\d:3000/g))]).toEqual([
    'server app1 10.0.0.21:3000',
    'server app2 10.0.0.22:3000',
  ])
})

it('one server gets its own files, with its own database', () => {
  const out = folder()
  const { APP_MACHINES: _apps, DATABASE_MACHINES: _databases, ...rest } = site
  expect(writeMachines({ ...rest, ONE_SERVER: 'server1=10.0.0.20' }, out)).toHaveLength(1)
  const env = parseEnv(readFileSync(join(out, 'server1/etc/rheinklang/app.env'), 'utf8')) as Record<string, string>
  expect(readConfig(env, out)).toMatchObject({
    databaseUrl: null,
    publicUrl: 'https://deals.example.ch',
    demoData: false,
    payments: { provider: null },
  })
})

it('Node and the shell read the same values from the settings', () => {
  const out = folder()
  const signs = {
    SMTP_URL: 'smtps://user:pa$word&more@mail.example.ch:465',
    S3_ACCESS_KEY_ID: 'ke$y',
    S3_SECRET_ACCESS_KEY: 'se$cret&more;`x`"\\x #y',
    MAIL_FROM: "L'été <hello@example.ch>",
  }
  writeMachines({ ...site, ...signs }, out)
  writeFileSync(join(out, 'own.env'), readFileSync('.env.example', 'utf8').replaceAll(/^#(?=[A-Z][A-Z0-9_]*=)/gm, ''))
  for (const file of ['own.env', 'app1/etc/rheinklang/app.env']) {
    const inNode = parseEnv(readFileSync(join(out, file), 'utf8'))
    const sourced = execFileSync('bash', ['-c', 'set -a; . "$0"; exec env -0', join(out, file)], { encoding: 'utf8' })
    const inShell = new Map(sourced.split('\0').map((line) => line.split(/=(.*)/s) as [string, string]))
    expect(Object.fromEntries(Object.keys(inNode).map((name) => [name, inShell.get(name)])), file).toEqual(inNode)
    if (file.startsWith('app1')) expect(inNode).toMatchObject(signs)
  }
})

it('a site that lacks settings is refused with their names', () => {
  const { NETWORK: _network, ...lacking } = site
  expect(() => writeMachines(lacking, folder())).toThrow(
    new BadSite('NETWORK is missing in the site; etc/rheinklang/patroni.yml needs it.'),
  )
  expect(() => writeMachines(example, folder())).toThrow(/(SECRET_KEY|APP_PASSWORD) must be 16 or more/)
  expect(() => writeMachines({ ...site, DATABASE_MACHINES: 'db1' }, folder())).toThrow(
    '"db1" is not like db1=10.0.0.11',
  )
  expect(() => writeMachines({}, folder())).toThrow('names no machine')
})

it.each([
  [{ ONE_SERVER: 'server1=10.0.0.20' }, 'It is one or the other.'],
  [{ ONE_SERVER: 'a=10.0.0.20 b=10.0.0.21', APP_MACHINES: '', DATABASE_MACHINES: '' }, 'more than one machine'],
  [{ DATABASE_MACHINES: 'db1=10.0.0.11' }, 'needs three machines'],
  [{ APP_MACHINES: '' }, 'needs APP_MACHINES'],
  [{ APP_MACHINES: 'app1=10.0.0.21 app2=10.0.0.21' }, 'APP_MACHINES: 10.0.0.21 is listed twice.'],
  [{ DATABASE_MACHINES: 'db1=10.0.0.300 db2=10.0.0.12 db3=10.0.0.13' }, '"db1=10.0.0.300" is not like'],
  [{ PUBLIC_URL: 'deals.example.ch' }, /would refuse etc\/rheinklang\/app\.env:\n {2}PUBLIC_URL must/],
  [{ SMTP_URL: 'mail.example.ch' }, 'SMTP_URL must be an address'],
  [
    { SMTP_URL: "smtps://user:it's@mail.example.ch:465" },
    'SMTP_URL has a sign that systemd and the shell read in two ways',
  ],
  [{ MAIL_FROM: '$HOME <hello@example.ch>' }, 'MAIL_FROM has a sign that systemd and the shell read in two ways'],
  [{ S3_REGION: 'a&b' }, 'S3_REGION has a sign that systemd and the shell read in two ways'],
])('a site with wrong settings is refused before anything is written: %j', (wrong, sentence) => {
  const out = folder()
  expect(() => writeMachines({ ...site, ...wrong }, out)).toThrow(sentence)
  expect(readdirSync(out)).toEqual([])
})

it('a folder that cannot be written is refused at once', () => {
  expect(() => writeMachines(site, '/proc/rheinklang/out')).toThrow('ENOENT')
})

it('a refused site leaves no files behind, so that it can be corrected and written to the same folder', () => {
  const out = folder()
  const { BACKUP_PASSWORD: _password, ...lacking } = site
  expect(() => writeMachines(lacking, out)).toThrow('BACKUP_PASSWORD is missing')
  expect(readdirSync(out)).toEqual([])
  expect(writeMachines(site, out)).toHaveLength(5)
  expect(() => writeMachines(site, out)).toThrow('is there already. Name a new folder.')
})

it('the docs say how to run every command of the app in a container, where there is no npm', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const docs = readFileSync('docs/operations.md', 'utf8')
  const commands = Object.values(scripts).flatMap((line) => /build\/app\/(?!main)[\w-]+\.mjs/.exec(line)?.[0] ?? [])
  expect(commands).toHaveLength(5)
  for (const command of [...commands, 'scripts/doctor.ts'])
    expect(docs).toContain(`podman exec ID node_modules/.bin/node ${command}`)
})

it('an image holds no secrets, no data and no history, whichever program builds it', () => {
  const left = readFileSync('.dockerignore', 'utf8')
  expect(readFileSync('.containerignore', 'utf8')).toBe(left)
  expect(left.split('\n')).toEqual(
    expect.arrayContaining(['.env', 'site.env', 'data', '.git', 'node_modules', 'build']),
  )
})

const docs = readFileSync('docs/operations.md', 'utf8')
const section = (title: string) => new RegExp(`^### ${title}\n(.*?)^##`, 'ms').exec(docs)![1]!
/** The text contains all of these, in this order. */
const stepsIn = (text: string, steps: string[]) =>
  expect(steps.toSorted((a, b) => text.indexOf(a) - text.indexOf(b)).filter((step) => text.includes(step))).toEqual(
    steps,
  )

it('the move to a cluster stops the old server permanently, after its dump and before the new servers start', () => {
  stepsIn(section('From one server to a cluster'), [
    'dump ([Backup](#backup))',
    'systemctl disable --now rheinklang rheinklang-haproxy',
    'pg_restore --no-owner',
    'systemctl enable --now rheinklang` on app1',
  ])
})

it('a restore creates every folder that it needs, and repeats deletions before visitors are served', () => {
  const restore = section('Restore')
  const files = ['restore-single.sh', 'pgbackrest.conf'].map((name) => `deploy/database/etc/rheinklang/${name}`)
  const needed = files.flatMap((file) => readFileSync(file, 'utf8').match(/\/(var\/lib|run)\/[a-z-]+/g)!)
  const made = /^ *install -d -o postgres -g postgres -m 700 (.*)$/m.exec(restore)?.[1] ?? ''
  expect(made.split(' ').toSorted()).toEqual([...new Set(needed)].toSorted())
  stepsIn(restore, [
    'install -d',
    '/etc/rheinklang/restore-single.sh',
    'DATABASE_READ_URL=',
    'npm run restore:deletions',
    'npm run payments:check',
    'systemctl start rheinklang`',
  ])
})

it('a single server is installed, run and upgraded by its unit, and stopped before its files are replaced', () => {
  stepsIn(section('One server as a service'), [
    'useradd --system rheinklang',
    'npm ci && npm run build`',
    'systemctl daemon-reload',
    'systemctl enable --now rheinklang rheinklang-haproxy',
    'set -a; . /etc/rheinklang/app.env;',
    'systemctl stop rheinklang && git pull && npm ci && npm run build && systemctl start rheinklang',
  ])
})
