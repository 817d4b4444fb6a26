import { expect, it } from 'vitest'
import { notOver } from './not-over.ts'

it('an urgent notice of an offline copy is shown until its end, and no longer', () => {
  const [storm, closed, endless] = ['2026-06-20T19:00:00Z', '2026-06-20T21:00:00Z', ''].map((ends_at) => ({ ends_at }))
  const shownAt = (time: string) => notOver([storm!, closed!, endless!], Date.parse(time))
  expect(shownAt('2026-06-20T18:59:59Z')).toEqual([storm, closed, endless])
  expect(shownAt('2026-06-20T19:00:00Z')).toEqual([closed, endless])
  expect(shownAt('2026-06-21T19:00:00Z')).toEqual([endless])
})
