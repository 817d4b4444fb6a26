import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { deleteFormDraft, deleteDraftsOfOthers, storeFormDraft, readFormDraft } from './form-drafts.ts'

import { onOtherOwner } from './other-owner.ts'

/** As a browser has it: its keys are properties, its functions are not. */
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

it('what somebody typed goes once another uses the browser, and stays for the same one', () => {
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

it('a logout forgets whose it was', () => {
  deleteDraftsOfOthers('lena')
  deleteFormDraft()
  storeFormDraft('profile', { name: 'Typed by a guest' })
  deleteDraftsOfOthers('marc')
  expect(readFormDraft('profile')).toEqual({ name: 'Typed by a guest' })
})

it('an open page hears of another person who has logged in in another tab, and not of the same one', () => {
  const window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  deleteDraftsOfOthers('lena')
  const told = vi.fn<() => void>()
  onOtherOwner(told)
  const becomes = (newValue: string | null) =>
    window.dispatchEvent(Object.assign(new Event('storage'), { key: 'typed:by', newValue }))
  becomes(null)
  becomes('lena')
  expect(told).not.toHaveBeenCalled()
  becomes(null)
  becomes('marc')
  expect(told).toHaveBeenCalledOnce()
})
