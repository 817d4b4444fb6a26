import { describe, expect, it } from 'vitest'
import { changesOf } from './log-changes.ts'

describe('the changes of a log entry', () => {
  it('are the fields that differ, in the order of the form', () => {
    const before = { starts_at: '2026-06-20T19:00:00.000Z', title: 'Rostrot', performers: ['Rostrot'] }
    const after = { starts_at: '2026-06-20T19:30:00.000Z', title: 'Rostrot & Friends', performers: ['Rostrot'] }
    expect(changesOf({ before, after })).toEqual([
      { field: 'title', before: 'Rostrot', after: 'Rostrot & Friends' },
      { field: 'starts_at', before: '2026-06-20T19:00:00.000Z', after: '2026-06-20T19:30:00.000Z' },
    ])
  })
  it('leave out fields without a label, and things that were created or deleted', () => {
    expect(changesOf({ before: { revision: 1 }, after: { revision: 2 } })).toEqual([])
    expect(changesOf({ before: null, after: { title: 'Rostrot' } })).toEqual([])
  })
})
