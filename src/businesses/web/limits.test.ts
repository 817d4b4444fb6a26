import { expect, it } from 'vitest'
import { logoMaxBytes } from '../contract.ts'
import * as onScreen from './limits.ts'

it('knows the same limit as the contract', () => {
  expect({ ...onScreen }).toEqual({ logoMaxBytes })
})
