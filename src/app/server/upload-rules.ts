import { posterSvg } from '../../brand/posters/poster.ts'
import { whileReading } from '../../kit/server/database.ts'
import { BoundedCache } from '../../kit/server/bounded-cache.ts'
import type { House } from '../../kit/server/room.ts'
import { isKeyGood } from '../../kit/server/upload-keys.ts'
import type { UploadRules } from '../../kit/server/uploads.ts'

/** Asks each room whether it knows and shows a picture. One that belongs to no room stays visible, which is cached. */
export function uploadRules(house: House): UploadRules {
  const alwaysSeen = new BoundedCache<string, true>('lasting pictures', { most: 10_000 })
  return {
    async isSeen(name) {
      if (alwaysSeen.get(name)) return null
      for (const ask of house.answersTo('seenUploads')) {
        const isSeen = await whileReading(() => ask(name))
        if (isSeen !== null) return isSeen
      }
      alwaysSeen.set(name, true)
      return null
    },
    isKeyGood: (name, key) => isKeyGood(house, name, key),
    insteadOf: (name) => posterSvg({ id: name, kind: 'event', category: 'other', title: '' }),
  }
}
