import { expect, it } from 'vitest'
import { logoMaxBytes, mostPhotos } from '../contract.ts'
import * as onScreen from './limits.ts'

it('knows the same limits as the contract', () => {
  expect({ ...onScreen }).toEqual({ logoMaxBytes, mostPhotos })
})
