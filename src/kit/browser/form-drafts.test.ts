import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { deleteAllDrafts, deleteDraftsOfOthers, storeFormDraft, readFormDraft } from './form-drafts.ts'

import { onOtherOwner } from './other-owner.ts'

/** Storage as in a browser: keys are own properties, functions are not. */
function storage() {
  const functions = {
    getItem(key: string) {
      return Object.hasOwn(this, key) ? (this as unknown as Record<string, string>)[key]! : null
    },
    setItem(key: string, value: string) {
      Object.assign(this, { [key]: value })
    },
    removeItem(key: string) {
      Reflect.deleteProperty(this, key)
    },
  }
  return Object.create(functions) as typeof functions
}

beforeEach(() => {
  vi.stubGlobal('sessionStorage', storage())
  vi.stubGlobal('localStorage', storage())
})
afterEach(() => vi.unstubAllGlobals())

it('a login deletes the drafts of another person, and keeps those of the same person or of a guest', () => {
  storeFormDraft('profile', { name: 'Typed before' })
  deleteDraftsOfOthers('lena')
  expect(readFormDraft('profile')).toEqual({ name: 'Typed before' })
  localStorage.setItem('typed:forum:topic', 'begun')
  deleteDraftsOfOthers('lena')
  expect(readFormDraft('profile')).not.toEqual({})
  deleteDraftsOfOthers('marc')
  expect([readFormDraft('profile'), localStorage.getItem('typed:forum:topic')]).toEqual([{}, null])
  storeFormDraft('profile', { name: 'Marc' })
  deleteDraftsOfOthers('marc')
  expect(readFormDraft('profile')).toEqual({ name: 'Marc' })
})

it('after a logout, drafts of a guest survive the login of anybody', () => {
  deleteDraftsOfOthers('lena')
  deleteAllDrafts()
  storeFormDraft('profile', { name: 'Typed by a guest' })
  deleteDraftsOfOthers('marc')
  expect(readFormDraft('profile')).toEqual({ name: 'Typed by a guest' })
})

it('an open page notices the login of another person in another tab, but not of the same person', () => {
  const window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  deleteDraftsOfOthers('lena')
  const callback = vi.fn<() => void>()
  onOtherOwner(callback)
  const becomes = (newValue: string | null) =>
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'typed:by', newValue }))
  becomes(null)
  becomes('lena')
  expect(callback).not.toHaveBeenCalled()
  becomes(null)
  becomes('marc')
  expect(callback).toHaveBeenCalledOnce()
})
