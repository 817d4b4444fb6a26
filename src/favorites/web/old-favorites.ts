import { copies } from '../../kit/browser/copies.ts'
import { outbox } from '../../kit/browser/outbox.ts'
import { isObject } from '../../kit/browser/reading.ts'
import { forgetOldCount } from '../../kit/browser/outbox-items.ts'
import type { SavedChange } from './favorite-intents.ts'

// Remove one release after 1.1: it moves data that version 1.0 stored on phones.
const oldKey = 'rheinklang-saved'

/** Moves favorites of version 1.0 into outbox and offline copies, once. */
export function moveOldFavorites(owner: string): void {
  try {
    moveList(owner)
    const old: unknown = JSON.parse(localStorage.getItem(oldKey) ?? 'null')
    if (!isObject(old)) return
    const keys = Array.isArray(old['keys']) ? old['keys'].map(String) : []
    const unsent = isObject(old['unsent']) ? old['unsent'] : {}
    const tappedAt = isObject(old['tappedAt']) ? old['tappedAt'] : {}
    const now = Date.now()
    if (old['of'] === 'user' && owner !== 'guest') {
      const known = keys.filter((key) => unsent[key] !== 'add')
      const removed = Object.keys(unsent).filter((key) => unsent[key] === 'remove')
      copies.set(owner, 'favorites', [...known, ...removed])
    }
    const isGuests = old['of'] !== 'user' && old['of'] !== 'ended'
    const changes = isGuests ? keys.map((key) => [key, 'add'] as const) : Object.entries(unsent)
    for (const [n, [subject, what]] of changes.entries()) {
      if (what !== 'add' && what !== 'remove') continue
      const of = isGuests ? 'guest' : old['of'] === 'user' && owner !== 'guest' ? owner : 'ended'
      if (of === 'ended' && what === 'remove') continue
      // a fixed key: an interrupted move starts again without doubling
      const key = `moved-${subject.replaceAll(':', '-')}`
      // keys are stored newest first
      const at = isGuests ? now - n : Number(tappedAt[subject]) || now
      outbox.add<SavedChange>({ key, at, kind: 'favorites', owner: of, subject, data: { what, name: null } })
    }
    // if storage is full, the old item stays: it holds everything
    if (outbox.isStored()) localStorage.removeItem(oldKey)
    forgetOldCount('favorites')
  } catch {
    // storage is blocked, or the old item cannot be read
  }
}

function moveList(owner: string) {
  const oldList = owner === 'guest' ? 'rheinklang-saved-list' : 'myFavorites'
  const old: unknown = JSON.parse(localStorage.getItem(oldList) ?? 'null')
  if (isObject(old) && typeof old['asOf'] === 'string')
    copies.set(owner, 'favorites-list', { favorites: old['favorites'], keys: old['keys'] }, old['asOf'])
  localStorage.removeItem(oldList)
}
