import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { copyOfHouse, root } from './copy-of-house.ts'

/**
 * "Add a field" of CONTRIBUTING.md, done in a copy of the repository: whether a deal can be reached with a wheelchair. Eight files, one
 * of them generated. Each of the others is left out once, which types or a test must notice.
 */
const { copy, run, bin, remove } = copyOfHouse('new-field', /^(?:deploy|lab)\//)

interface Edit {
  file: string
  /** Where the lines go; absent: a new file. */
  after?: string
  lines: string[]
}

const texts = (locale: string, text: string): Edit[] =>
  [
    ['  "labels": {\n', `    "wheelchair_accessible": "${text}",`],
    ['  "dealForm": {\n', `    "wheelchair": "${text}",`],
    ['  "deal": {\n', `    "wheelchair": "${text}",`],
  ].map(([after, line]) => ({ file: `messages/${locale}.json`, after: after!, lines: [line!] }))

const edits: Edit[] = [
  {
    file: 'migrations/9998_deals_wheelchair_accessible.sql',
    lines: ['alter table deals add column wheelchair_accessible boolean;'],
  },
  {
    file: 'src/deals/deal.ts',
    after: "import { z } from 'zod'\n",
    lines: ["import { bodyBoolean } from '../kit/shared/input.ts'"],
  },
  {
    file: 'src/deals/deal.ts',
    after: '  ...listed,\n',
    lines: ['  wheelchair_accessible: { answer: z.boolean().nullable(), input: bodyBoolean() },'],
  },
  ...texts('en', 'Wheelchair access'),
  ...texts('de', 'Rollstuhlgängig'),
  ...texts('fr', 'Accès en fauteuil roulant'),
  {
    file: 'src/deals/web/editing/DealFormSections.tsx',
    after: "from 'use-intl'\n",
    lines: ["import { Checkbox } from '../../../kit/browser/ui/Checkbox.tsx'"],
  },
  {
    file: 'src/deals/web/editing/DealFormSections.tsx',
    after: "      <TextArea label={t('terms')} {...field('terms')} />\n",
    lines: [
      '      <Checkbox',
      "        label={t('wheelchair')}",
      "        checked={draft.values['wheelchair_accessible'] === 'true'}",
      "        onChange={({ target }) => draft.set('wheelchair_accessible', target.checked ? 'true' : '')}",
      '      />',
    ],
  },
  {
    file: 'src/deals/web/DealFacts.tsx',
    after: '      </Fact>\n',
    lines: ["      {deal.wheelchair_accessible && <Fact name={t('wheelchair')}>✓</Fact>}"],
  },
]
const edited = [...new Set(edits.map(({ file }) => file))]
const generated = 'src/database-types.ts'

beforeAll(() => edited.forEach(write))
afterAll(remove)

function write(file: string) {
  const ofFile = edits.filter((edit) => edit.file === file)
  let text = ofFile.some(({ after }) => after) ? readFileSync(join(root, file), 'utf8') : ''
  for (const { after = '', lines } of ofFile) {
    expect(text, `${file}: ${after}`).toContain(after)
    const at = text.indexOf(after) + after.length
    text = `${text.slice(0, at)}${lines.join('\n')}\n${text.slice(at)}`
  }
  writeFileSync(join(copy, file), text)
}

/** As if nobody had thought of this file. */
function leaveOut(file: string) {
  if (edits.some((edit) => edit.file === file && !edit.after)) rmSync(join(copy, file))
  else cpSync(join(root, file), join(copy, file))
}

const types = () => bin('tsc', '-p', '.', '--noEmit', '--incremental', '--tsBuildInfoFile', join(copy, 'types.json'))
const tests = (...files: string[]) => bin('vitest', 'run', ...files)
const generate = (...args: string[]) => run(process.execPath, 'scripts/generate-types.ts', ...args)

it('a new field of a deal takes eight files, one of them generated, and twenty lines', async () => {
  expect(await generate()).toBe('')
  expect([...edited, generated]).toHaveLength(8)
  const generatedLines = readFileSync(join(copy, generated), 'utf8').split('\n').length
  const linesBefore = readFileSync(join(root, generated), 'utf8').split('\n').length
  const lines = edits.reduce((sum, edit) => sum + edit.lines.length, generatedLines - linesBefore)
  expect(lines).toBeLessThanOrEqual(20)
}, 120_000)

it('it is then sent, stored, answered, typed into the form and shown', async () => {
  expect(await types()).toBe('')
  expect(await tests(...fieldTests, 'test/messages.test.ts')).toBe('')
}, 300_000)

const fieldTests = ['src/deals/server/deal-fields.api.test.ts', 'src/deals/web/editing/deal-form.test.ts']

it.each([
  ['migrations/9998_deals_wheelchair_accessible.sql', () => generate('--check')],
  [generated, () => generate('--check')],
  ['src/deals/deal.ts', types],
  ['messages/fr.json', () => tests('test/messages.test.ts')],
  ['src/deals/web/editing/DealFormSections.tsx', () => tests(fieldTests[1]!)],
  ['src/deals/web/DealFacts.tsx', () => tests(fieldTests[1]!)],
])(
  'whoever leaves out %s hears of it',
  async (file, check) => {
    leaveOut(file)
    expect(await check()).toMatch(/wheelchair|database-types/)
    if (file === generated) expect(await generate()).toBe('')
    else write(file)
  },
  120_000,
)
