import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { browserContracts, browserModules } from '../scripts/browser-contracts.ts'

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

it('screens get the endpoints and plain values of a contract, without zod', async () => {
  const modules = await browserModules()
  const deals = modules.get(source('deals/contract.ts'))!
  expect(deals).toContain(`export { endpoint as getDeal } from '${source('deals/contract.ts')}?endpoint=getDeal'`)
  expect(deals).toContain('export const radiusKm = {"min":0.1,"max":50,"default":5}')
  expect(deals).not.toMatch(/export (const|{ endpoint as) (deal|dealMatch)\b/)
  expect(modules.get(`${source('deals/contract.ts')}?endpoint=getDeal`)).toContain(
    '"operation":"GET /api/deals/{deal_id}","id":"deal_id"',
  )
  expect([...modules.values()].join('')).not.toContain('zod')
})

it('a screen that imports a shape fails to build, with an error that names the shape', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-shape-'))
  const input = join(folder, 'screen.ts')
  writeFileSync(input, `import { deal } from '${source('deals/contract.ts')}'\nconsole.log(deal)`)
  const built = build({
    configFile: false,
    logLevel: 'silent',
    plugins: [browserContracts()],
    build: { write: false, rolldownOptions: { input } },
  })
  await expect(built).rejects.toThrow(/"deal" is not exported by "\S*deals\/contract\.ts"/)
  rmSync(folder, { recursive: true })
})
