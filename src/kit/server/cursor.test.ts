import { describe, expect, it } from 'vitest'
import { readCursor, writeCursor } from './cursor.ts'

const id = '0196a6c0-b9bf-798f-8d0a-e1fa82703b19'
const at = '2026-06-20T17:30:00.123Z'

describe('a cursor', () => {
  it('is read as it was written', () => {
    expect(readCursor(writeCursor([at, id]), ['instant', 'id'])).toEqual([at, id])
    expect(readCursor(writeCursor([4.25, id]), ['number', 'id'])).toEqual([4.25, id])
    expect(readCursor(writeCursor(['ä„‘🎵', id]), ['text', 'id'])).toEqual(['ä„‘🎵', id])
  })
  it.each([
    'x 1',
    '1',
    '2024',
    '2024-02-31',
    '2026-02-31T00:00:00.000Z',
    '2026-02-30T00:00:00Z',
    '2026-06-20 17:30:00+00',
    '+275760-09-13T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '2026-06-20T24:00:00.000Z',
    'infinity',
    'now',
    '',
    7,
    null,
    [at],
  ])('with %j instead of an instant is refused', (wrong) => {
    expect(readCursor(writeCursor([wrong as string, id]), ['instant', 'id'])).toBeNull()
  })
  it.each([
    '',
    'e30',
    'bnVsbA',
    'W10',
    '%',
    '\ud800',
    writeCursor([at]),
    writeCursor([at, id, id]),
    writeCursor([at, 'x']),
  ])('of the form %j is refused', (wrong) => {
    expect(readCursor(wrong, ['instant', 'id'])).toBeNull()
  })
  it('with a value that PostgreSQL cannot store is refused', () => {
    expect(readCursor(writeCursor(['\0', id]), ['text', 'id'])).toBeNull()
    expect(readCursor(Buffer.from(`["\\ud800","${id}"]`).toString('base64url'), ['text', 'id'])).toBeNull()
    expect(readCursor(Buffer.from(`[1e999,"${id}"]`).toString('base64url'), ['number', 'id'])).toBeNull()
  })
})
