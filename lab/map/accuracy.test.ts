import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { measureDrawing } from './accuracy.ts'

const reference = new URL('../../../shared/data/basel/', import.meta.url).pathname

describe.skipIf(!existsSync(reference))('the drawing beside the reference', () => {
  const findings = existsSync(reference) ? measureDrawing(reference) : []
  it.each(findings)('$criterion: $bar ($ours)', ({ pass, misses }) => {
    expect(pass, misses.join('\n')).toBe(true)
  })
})
