import { expect, it } from 'vitest'
import * as contract from '../contract.ts'
import * as words from './forum-words.ts'

it('knows the same words and limits as the contract', () => {
  const { categoryLook, ...onScreen } = words
  expect({ ...contract }).toMatchObject(onScreen)
  expect(Object.keys(categoryLook)).toEqual(contract.forumCategories)
})
