import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { expect, it } from 'vitest'
import { wordsOf } from '../../../../test/rendered.ts'
import { emptyDealForm } from '../../contract/editing.ts'
import { dealFields } from '../../deal.ts'
import * as sections from './DealFormSections.tsx'

it('each field that a merchant can send has its control in the form', () => {
  const read = new Set<string | symbol>()
  const values = new Proxy({ ...emptyDealForm, regular_price_chf: '12' } as Record<string, string>, {
    get: (target, name: string) => {
      read.add(name)
      return target[name]
    },
  })
  const nothing = () => {}
  const draft = {
    values,
    set: nothing,
    changed: [],
    conflicts: [],
    dropConflicts: nothing,
    discard: nothing,
    sent: nothing,
  }
  const place = { centre: { latitude: 47.56, longitude: 7.59 }, theme: 'paper' as const }
  for (const Section of Object.values(sections)) {
    const section = createElement(Section, { draft, faults: {}, place })
    wordsOf(section, '2026-06-20T18:00:00Z')
  }
  expect(Object.keys(emptyDealForm).filter((name) => !read.has(name))).toEqual([])
})

/** Answered for other programs alone. */
const shownNowhere: string[] = []

it('each field of an answer is shown or used by a screen', () => {
  const source = join(import.meta.dirname, '../../../..', 'src')
  const files = globSync('**/web/**/*.{ts,tsx}', { cwd: source }).filter((file) => !/editing|\.test\./.test(file))
  const words = new Set(files.flatMap((file) => readFileSync(join(source, file), 'utf8').match(/\w+/g)))
  expect(Object.keys(dealFields).filter((name) => !words.has(name))).toEqual(shownNowhere)
})
