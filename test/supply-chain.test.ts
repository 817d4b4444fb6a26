import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<
    string,
    { version?: string; integrity?: string; resolved?: string; dev?: boolean; license?: string; link?: boolean }
  >
}
const installed = Object.entries(lock.packages).filter(([path]) => path !== '')

describe('what is installed (S17)', () => {
  it('is pinned exactly', () => {
    for (const kind of ['dependencies', 'optionalDependencies', 'devDependencies'])
      for (const [name, version] of Object.entries(manifest[kind]!))
        expect(version, name).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/)
  })
  it('is known by its hash, and by no address of a registry', () => {
    for (const [path, entry] of installed) {
      expect(entry.integrity, path).toMatch(/^sha512-/)
      expect(entry.resolved, path).toBeUndefined()
    }
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/https?:\/\/[^"]*registry/)
  })
  it('is little: at most 40 packages that the running server asks for itself', () => {
    expect(Object.keys(manifest['dependencies']!).length).toBeLessThanOrEqual(40)
  })
  it('without the tools of developers, is still all that the server and its commands ask for', () => {
    const asked = packagesAskedFor(['src/app/main.ts', 'src/app/staff.ts', 'src/app/import.ts'])
    const shipped = { ...manifest['dependencies'], ...manifest['optionalDependencies'] }
    expect(asked).toEqual(expect.arrayContaining(['fastify', 'pg', 'sharp', 'opening_hours', 'html-to-text']))
    // what the build bundles, and the one that "npm run dev" asks for
    expect(asked.filter((name) => !(name in shipped)).toSorted()).toEqual(['stripe', 'tinyld', 'vite'])
  })
  it('stands under licences that allow what we do with it', () => {
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

describe('what is committed', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => file && existsSync(file))
  it('holds no secret', () => {
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
  it('holds no place on one machine and no address that a visitor would load from elsewhere', () => {
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

/** What modules import from packages, at their start or later, and all modules of ours that they import. */
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
