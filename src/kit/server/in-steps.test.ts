import { expect, it } from 'vitest'
import { inSteps, type Step } from './in-steps.ts'

it('steps continue after the last id of a full step, and end with a step that is not full', async () => {
  const steps: Step[] = []
  const ids = ['a', 'b', 'c', 'd']
  await inSteps(2, async (step) => {
    steps.push(step)
    return ids.splice(0, step.limit)
  })
  expect(steps).toEqual([
    { after: null, limit: 2 },
    { after: 'b', limit: 2 },
    { after: 'd', limit: 2 },
  ])
})
