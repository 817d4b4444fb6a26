import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildTarget, oldestBrowsers } from '../scripts/oldest-browsers.ts'
import { clientDir } from './built-pages.ts'
import { allMembers, browserReleases, lackedBy } from './engines/newer-members.ts'
import { usesOfNewer } from './engines/newer-uses.ts'
import { startTestApp } from './start-app.ts'

describe('the built site', () => {
  it('has no script with features that one of the oldest browsers lacks', () => {
    const files = readdirSync(join(clientDir, 'assets')).filter((name) => name.endsWith('.js'))
    expect(files.length).toBeGreaterThan(100)
    for (const file of [...files.map((name) => join('assets', name)), 'sw.js'])
      expect(usesOfNewer(readFileSync(join(clientDir, file), 'utf8')), file).toEqual([])
  })

  it('has no inline script with such features either', async () => {
    const app = await startTestApp({ demo: true, pages: true })
    onTestFinished(() => app.close())
    for (const path of ['/deals', '/events', '/help']) {
      const html = await (await fetch(app.url + path)).text()
      const scripts = [...html.matchAll(/<script(?![^>]*json)[^>]*>([^]*?)<\/script>/g)].map(([, code]) => code!)
      expect(scripts.length, path).toBeGreaterThan(0)
      expect(scripts.flatMap(usesOfNewer), path).toEqual([])
    }
  })
})

describe('the check of scripts', () => {
  it.each([
    ['URL.parse("x")', 'URL.parse'],
    ['Map.groupBy([], (each) => each)', 'Map.groupBy'],
    ['fetch("/", { signal: AbortSignal.any([one, other]) })', 'AbortSignal.any'],
    ['one.union(other)', '….union'],
    ['list.values().take(3)', '….take'],
    ['Promise.try(() => 1)', 'Promise.try'],
    ['const { promise } = Promise.withResolvers()', 'Promise.withResolvers'],
    ['Iterator.from(list)', 'Iterator.from'],
    ['window.navigation.navigate("/")', 'navigation'],
    ['new Intl.DurationFormat("en")', 'Intl.DurationFormat'],
    ['document.startViewTransition(draw)', 'Document.startViewTransition'],
    ['new URLPattern({})', 'URLPattern'],
    ['Temporal.Now.instant()', 'Temporal'],
    ['/[\\p{L}--[a-z]]/v.test("a")', 'RegExp.unicodeSets'],
    // a check of another feature, or one that comes too late
    ['if ("any" in Promise) URL.parse("x")', 'URL.parse'],
    ['URL.parse("x"); if (URL.parse) done()', 'URL.parse'],
    ['URL.parse("x") && done()', 'URL.parse'],
  ])('fails on %s', (code, found) => {
    expect(usesOfNewer(code).map((use) => use.split(' (')[0])).toEqual([found])
  })

  it.each([
    'URL.parse?.("x")',
    'document.startViewTransition?.(draw)',
    'typeof Temporal > "u" ? 1 : Temporal.Now.instant()',
    '"requestIdleCallback" in window ? requestIdleCallback(draw) : draw()',
    '`any` in AbortSignal && AbortSignal.any([])',
    'const parse = () => { if (typeof URL.parse !== "function") return null; return URL.parse("x") }',
    'function leave() { navigation.navigate("/") } if (typeof navigation == "object") leave()',
    // own methods of the same name
    'class Shape { union(other) { return other } } new Shape().union(1)',
    'const Temporal = polyfill(); Temporal.Now.instant()',
    // features of all of the oldest browsers
    '[3, 1].toSorted(); "a".isWellFormed(); structuredClone({}); AbortSignal.timeout(3)',
  ])('lets %s pass', (code) => {
    expect(usesOfNewer(code)).toEqual([])
  })
})

describe('the sources for browsers', () => {
  const compiler = resolve(createRequire(import.meta.url).resolve('typescript-compiler/package.json'), '../bin/tsc')
  const compile = (config: string) => spawnSync(process.execPath, [compiler, '-p', config], { encoding: 'utf8' }).stdout

  it('call no newer method of the language, on any object', () => {
    expect(compile('tsconfig.browser.json')).toBe('')
  })

  it('fail this check if they do', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rheinklang-lib-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const planted = ['new Map([[1, 2]]).values().map(String)', 'new Set([1]).union(new Set([2]))', '[1].toSorted()']
    writeFileSync(join(folder, 'planted.ts'), planted.map((code) => `${code}\n`).join(''))
    const config = { extends: resolve('tsconfig.browser.json'), compilerOptions: { types: [], rootDirs: [] } }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: [], files: ['planted.ts'] }))
    expect(compile(folder).match(/planted\.ts\(\d+/g)).toEqual(['planted.ts(1', 'planted.ts(2'])
  })
})

describe('the oldest browsers', () => {
  it('are those that Vite builds for', () => {
    const { safari, safari_ios, firefox, samsunginternet_android } = oldestBrowsers
    const chromium = browserReleases.samsunginternet_android.releases[samsunginternet_android]?.engine_version
    expect(buildTarget).toEqual([`safari${safari}`, `ios${safari_ios}`, `firefox${firefox}`, `chrome${chromium}`])
    expect(Number(chromium)).toBeLessThanOrEqual(Number(oldestBrowsers.chrome))
  })

  it('have the method by which pages recognise older browsers, and the Safari before lacks it', () => {
    const { compat } = allMembers.find((each) => each.interface === 'String' && each.name === 'isWellFormed')!
    expect(lackedBy(compat, oldestBrowsers)).toEqual([])
    expect(lackedBy(compat, { safari: '16.3', safari_ios: '16.3' })).toEqual(['safari', 'safari_ios'])
  })
})
