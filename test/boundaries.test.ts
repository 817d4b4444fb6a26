import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// each line: a file and an import that it may not have
const violations: [file: string, imported: string][] = [
  ['src/kit/shared/planted.ts', '../../deals/contract.ts'],
  ['src/kit/shared/planted.ts', '../server/database.ts'],
  ['src/kit/shared/planted.ts', '../browser/ask.ts'],
  ['src/kit/shared/planted.ts', 'kysely'],
  ['src/kit/server/planted.ts', '../../deals/contract.ts'],
  ['src/kit/server/planted.ts', '../browser/ask.ts'],
  ['src/kit/server/planted.ts', '../../app/config.ts'],
  ['src/kit/browser/planted.ts', '../server/database.ts'],
  ['src/kit/browser/ui/planted.ts', '../../../deals/contract.ts'],
  ['src/kit/browser/ui/planted.ts', '../../../site-map.ts'],
  ['src/site-map.ts', './kit/shared/geo.ts'],
  ['src/deals/contract.ts', './server/deals.ts'],
  ['src/deals/contract.ts', '../kit/server/database.ts'],
  ['src/deals/contract.ts', '../favorites/contract.ts'],
  ['src/deals/contract.ts', '../businesses/contract/planted.ts'],
  ['src/deals/contract/planted.ts', '../server/deals.ts'],
  ['src/deals/contract/planted.ts', '../../favorites/contract.ts'],
  ['src/deals/contract/planted.ts', '../../businesses/contract/planted.ts'],
  ['src/deals/contract/planted.ts', 'react'],
  ['src/deals/policy.ts', '../businesses/server/businesses.ts'],
  ['src/deals/limits.ts', '../kit/shared/geo.ts'],
  ['src/deals/limits.ts', 'zod'],
  ['src/deals/server/planted.ts', '../web/DealCard.tsx'],
  ['src/deals/server/planted.ts', '../../businesses/server/store.ts'],
  ['src/deals/server/planted.ts', '../../businesses/server/store/planted.ts'],
  ['src/deals/server/planted.ts', '../../businesses/contract/planted.ts'],
  ['src/deals/server/planted.ts', '../../businesses/server/routes.ts'],
  ['src/events/server/planted.ts', '../../deals/contract.ts'],
  ['src/deals/server/planted.ts', '../../app/server/server.ts'],
  ['src/businesses/server/planted.ts', '../../deals/server/deals.ts'],
  ['src/businesses/server/planted.ts', '../../deals/contract.ts'],
  ['src/deals/web/planted.tsx', '../server/deals.ts'],
  ['src/deals/web/planted.tsx', '../../businesses/contract/planted.ts'],
  ['src/deals/web/planted.tsx', '../../businesses/server/businesses.ts'],
  ['src/deals/web/planted.tsx', '../../kit/server/database.ts'],
  ['src/deals/web/planted.tsx', '../../app/root.tsx'],
  ['src/businesses/web/planted.tsx', '../../deals/web/DealCard.tsx'],
  ['src/contact/web/planted.tsx', '../../deals/web/DealCard.tsx'],
  ['src/views/server/planted.ts', '../../businesses/server/businesses.ts'],
  ['src/deals/web/planted.tsx', 'lucide-react'],
  ['src/app/planted.tsx', 'lucide-react'],
]

// each line: a file and an import that it may have
const allowed: [file: string, imported: string][] = [
  ['src/deals/contract.ts', '../businesses/contract.ts'],
  ['src/deals/contract.ts', './contract/planted.ts'],
  ['src/deals/contract/planted.ts', './other.ts'],
  ['src/deals/contract/planted.ts', '../../businesses/contract.ts'],
  ['src/deals/contract/planted.ts', '../../kit/shared/endpoint.ts'],
  ['src/deals/server/store.ts', './store/planted.ts'],
  ['src/deals/server/store/planted.ts', '../../../kit/server/database.ts'],
  ['src/deals/server/planted.ts', '../../businesses/server/businesses.ts'],
  ['src/deals/server/planted.ts', '../../views/server/views.ts'],
  ['src/deals/web/planted.tsx', '../../businesses/web/OpenLine.tsx'],
  ['src/deals/web/planted.tsx', '../../site-map.ts'],
  ['src/deals/server/planted.ts', './store.ts'],
  ['src/app/planted.ts', '../deals/server/routes.ts'],
  ['src/deals/web/planted.tsx', 'lucide-react/icons/house'],
]

const forbiddenUses = [
  'window.__reactRouterManifest',
  'const { __reactRouterContext } = window',
  "globalThis['__reactRouterDataRouter']",
  'Object(window).__reactRouterRouteModules',
  '(4.25).toFixed(1)',
  "new Intl.NumberFormat('fr')",
]

/** Rooms in the rows above that need not exist. */
const toCome = ['favorites']

describe('the floors of the house', () => {
  const tree = mkdtempSync(join(tmpdir(), 'rheinklang-floors-'))
  let reported: string[] = []
  let reportedUses: string[] = []

  beforeAll(() => {
    cpSync('oxlint.config.ts', join(tree, 'oxlint.config.ts'))
    symlinkSync(join(process.cwd(), 'node_modules'), join(tree, 'node_modules'))
    for (const manifest of globSync('src/*/room.ts')) cpSync(manifest, join(tree, manifest))
    for (const room of toCome)
      if (!existsSync(join('src', room, 'room.ts'))) {
        mkdirSync(join(tree, 'src', room), { recursive: true })
        writeFileSync(join(tree, 'src', room, 'room.ts'), 'export const room = {\n  looksInto: [],\n}\n')
      }
    const lines = new Map<string, string[]>()
    for (const [file, imported] of [...violations, ...allowed]) {
      lines.set(file, [...(lines.get(file) ?? []), imported])
    }
    for (const [file, imports] of lines) {
      mkdirSync(dirname(join(tree, file)), { recursive: true })
      writeFileSync(join(tree, file), imports.map((each) => `import '${each}'\n`).join(''))
    }
    writeFileSync(join(tree, 'src/app/forbidden.ts'), forbiddenUses.join('\n'))
    let output: string
    try {
      output = execFileSync(join(process.cwd(), 'node_modules/.bin/oxlint'), ['--format', 'json', 'src'], {
        cwd: tree,
        encoding: 'utf8',
      })
    } catch (error) {
      output = (error as { stdout: string }).stdout
    }
    const { diagnostics } = JSON.parse(output) as {
      diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[]
    }
    reported = diagnostics
      .filter((each) => each.code.includes('no-restricted-imports'))
      .map((each) => `${each.filename} ${lines.get(each.filename)![each.labels[0]!.span.line - 1]}`)
    reportedUses = diagnostics
      .filter((each) => each.code.includes('no-restricted-properties'))
      .map((each) => forbiddenUses[each.labels[0]!.span.line - 1]!)
  })
  afterAll(() => rmSync(tree, { recursive: true, force: true }))

  it.each(violations)('%s may not import %s', (file, imported) => {
    expect(reported).toContain(`${file} ${imported}`)
  })
  it('no file may use a name that is private to React Router, or format a number by itself', () => {
    expect(reportedUses.sort()).toEqual([...forbiddenUses].sort())
  })
  it.each(allowed)('%s may import %s', (file, imported) => {
    expect(reported).not.toContain(`${file} ${imported}`)
  })
})
